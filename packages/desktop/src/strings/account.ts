// Texts about the account: its password, its API keys and its deletion.
import { translated } from '../language/language.ts'
export const accountWords = translated('account', {
  account: {
    ended:
      'The password was changed, this device was removed, or the account was deleted. Everything stored here is kept and works without an account.',

    password: 'Password',
    passwordLead: 'Changing it signs out all your other devices and revokes all API keys.',
    change: 'Change password',
    current: 'Current password',
    next: 'New password',
    repeat: 'Confirm new password',
    rule: (least: number) => `At least ${least} characters. Do not reuse a password from another account.`,
    tooShort: (least: number) => `The new password is too short: it needs at least ${least} characters.`,
    differ: 'The passwords do not match.',
    typeAgain: 'Type the new password again.',
    changed: 'The password was changed. Your other devices are signed out and your API keys are revoked.',

    keys: 'API keys',
    keysLead: 'For programs that call the server on your behalf. A key works until you revoke it.',
    noKeys: 'No API keys yet.',
    newKey: 'Create a key',
    name: 'Name',
    nameHint: 'What the key is for',
    scopes: 'What it may be used for',
    scopeLeads: { gateway: 'Call models through the gateway', sync: 'Synchronize data' },
    create: 'Create key',
    created: (name: string) => `The key “${name}” was created`,
    once: 'Copy it now: the key cannot be shown again.',
    copyKey: 'Copy key',
    done: 'Done',
    endsWith: (letters: string) => `ends with ${letters}`,
    used: (at: string) => `last used ${at}`,
    unused: 'never used',
    revoke: 'Revoke',
    revokeSure: (name: string) => `Revoke “${name}”? Programs that use this key lose access immediately.`,
    revokeYes: 'Revoke key',
    revoked: (name: string) => `The key “${name}” was revoked.`,

    remove: 'Delete account',
    removeLead: 'Deletes the account and everything stored in it. Your devices are signed out and keep their data.',
    removeFacts: [
      'Records, files, logs, tasks and API keys in the account are deleted. This cannot be undone.',
      'All your devices are signed out.',
      'What is stored on your devices stays there and works without an account.',
    ],
    confirm: (email: string) => `Type ${email} to confirm`,
    removeYes: 'Delete account permanently',
    removed: (email: string) => `The account ${email} was deleted. Everything on this device is kept.`,
  },
} as const)
