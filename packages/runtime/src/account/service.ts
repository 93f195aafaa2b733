// Sign in, sign out, change the password, delete the account: one function per command. Tandem works without an account.
import type { PasswordChange } from '@tandem/contract/auth'
import type { Store } from '../store/store.ts'
import type { Account, Identity, SignIn, SignInOutcome } from './account.ts'
import type { CloudResult } from './cloud-result.ts'
import { wipe } from './wipe.ts'

export type SignOutOutcome =
  | { readonly ok: true; readonly value: { readonly local_data: 'kept' | 'wiped' } }
  | { readonly ok: false; readonly code: 'unsent_changes' | 'run_busy'; readonly message: string }

export interface SignOut {
  readonly local_data: 'keep' | 'wipe'
  /** Wiping loses changes that were not synchronized, so it must be requested explicitly. */
  readonly unsent: 'keep' | 'discard'
  readonly scope: 'session' | 'everywhere'
}

export interface AccountService {
  show(): Identity | null
  signIn(request: Omit<SignIn, 'device_id'>): Promise<SignInOutcome>
  signOut(request: SignOut): Promise<SignOutOutcome>
  /** Ends all other sessions of the account and revokes its API keys. */
  changePassword(passwords: PasswordChange): Promise<CloudResult<unknown>>
  /** Signs this device out once the account is gone. The data here is kept. */
  deleteAccount(password: string): Promise<CloudResult<unknown>>
}

export interface AccountServicePorts {
  readonly store: Store
  readonly account: Account
  /** The user whose data is stored here; null if no account was ever used. */
  owner(): string | null
  unsent(): number
  /** The number of runs in progress. */
  running(): number
  /** Called before a wipe, while the cloud can still be reached. */
  leaving(): Promise<void>
  /** Called after a wipe; the answer waits for it. */
  wiped(): Promise<void>
  /** Resolves when synchronization is idle. While signed out, it starts nothing new. */
  quiet(): Promise<void>
}

export function openAccountService({ store, account, owner, unsent, running, leaving, wiped, quiet }: AccountServicePorts): AccountService {
  return {
    show: account.who,
    signIn: (request) => account.signIn({ ...request, device_id: store.device_id }, (user_id) => objectionTo(owner(), user_id)),
    async signOut({ local_data, unsent: waiting, scope }) {
      if (local_data === 'wipe') {
        const count = unsent()
        if (count > 0 && waiting === 'keep') {
          return {
            ok: false,
            code: 'unsent_changes',
            message: `${count === 1 ? '1 change is' : `${count} changes are`} not synchronized yet: synchronize first, or allow ${count === 1 ? 'it' : 'them'} to be discarded`,
          }
        }
        if (running() > 0) return { ok: false, code: 'run_busy', message: 'a run is in progress on this device: pause or stop it first' }
        await leaving()
      }
      await account.signOut(scope)
      if (local_data === 'keep') return { ok: true, value: { local_data: 'kept' } }
      await quiet()
      wipe(store)
      await wiped()
      return { ok: true, value: { local_data: 'wiped' } }
    },
    changePassword: (passwords) => account.call({ method: 'POST', path: '/api/v1/auth/password', json: passwords }),
    async deleteAccount(password) {
      const before = account.who()
      const answer = await account.call({ method: 'POST', path: '/api/v1/users/delete', json: { password } })
      if (answer.kind === 'ok' && before) account.forget(before.session_id)
      return answer
    },
  }
}

function objectionTo(owner: string | null, user_id: string): string | null {
  if (owner === null || owner === user_id) return null
  return 'the data on this device belongs to another account'
}
