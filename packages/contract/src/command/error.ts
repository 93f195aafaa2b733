// Every way a command can refuse, and what the caller can do about it.

export const commandErrors = {
  unknown_command: { title: 'No such command', remedy: 'Check the name against the list of commands.' },
  invalid_params: { title: 'The parameters do not fit', remedy: 'Correct the parameter the message names and call again.' },
  invalid_cursor: { title: 'The cursor is not from this list', remedy: 'Start the list again without a cursor.' },
  not_available: {
    title: 'This Tandem can not do that yet',
    remedy: 'Look at what works in runtime_status; a newer Tandem may know it.',
  },
  not_found: { title: 'There is no such thing here', remedy: 'List what there is; it may have been removed, or live on another device.' },
  transition_refused: {
    title: 'Its state does not allow that',
    remedy: 'Look at its state and choose one of the steps the message names.',
  },
  version_conflict: { title: 'It changed in the meantime', remedy: 'Read it again and repeat the change on what is there now.' },
  run_busy: { title: 'The run is going on', remedy: 'Wait until it pauses, or cancel it first.' },
  run_elsewhere: {
    title: 'The run belongs to another device',
    remedy: 'Go on with it, or end it, on that device; a new conversation can be begun here.',
  },
  nothing_pending: { title: 'Nothing waits for an answer', remedy: 'Look at the run: the question or approval may already be answered.' },
  answer_mismatch: { title: 'The answer does not fit what was asked', remedy: 'Choose one of the answers on offer.' },
  resume_unavailable: { title: 'The run can not go on from here', remedy: 'Restore one of its checkpoints, or start a new run.' },
  checkpoint_expired: { title: 'The checkpoint is no longer kept', remedy: 'Choose a younger checkpoint.' },
  restore_conflict: {
    title: 'Files were changed by someone else since',
    remedy: 'Look at the preview and choose to keep or to overwrite them.',
  },
  restore_failed: { title: 'The files could not all be put back', remedy: 'Free the paths the message names and restore again.' },
  incompatible_host: { title: 'This host can not run the skill', remedy: 'Follow the hints of the compatibility report.' },
  validation_failed: { title: 'It did not pass validation', remedy: 'Read the validation and correct what it found.' },
  consent_needed: {
    title: 'The user of this device has not said yes to it',
    remedy: 'Look at what it would run, and consent to exactly that.',
  },
  server_unavailable: {
    title: 'The MCP server does not serve',
    remedy: 'Read its log, correct what the message names, and connect again.',
  },
  signed_out: { title: 'Nobody is signed in on this device', remedy: 'Sign in first; everything that needs no cloud works without.' },
  sign_in_refused: {
    title: 'The cloud does not let this person in',
    remedy: 'Check the e-mail address and the password, and what the message says about them.',
  },
  wrong_password: {
    title: 'The password is wrong',
    remedy: 'Enter the current password of the account and try again.',
  },
  weak_password: {
    title: 'The new password is too easy to guess',
    remedy: 'Choose a longer password that you use nowhere else.',
  },
  rate_limited: {
    title: 'Too many requests or failed attempts',
    remedy: 'Wait for the time the message gives, then try again.',
  },
  other_account: {
    title: 'The data on this device belongs to another account',
    remedy: 'Sign in with that account, or sign out with wiping first; another data folder holds another account.',
  },
  unsent_changes: {
    title: 'Changes on this device were never sent',
    remedy: 'Synchronize first, or say that they may be lost.',
  },
  cloud_unreachable: {
    title: 'The cloud can not be reached',
    remedy: 'Check the network and the address; what was written here is kept and goes out by itself.',
  },
  cloud_refused: { title: 'The cloud did not take it', remedy: 'Correct what the message names and call again.' },
  model_unavailable: { title: 'No model answers', remedy: 'Sign in, or set a model that this device can reach.' },
  storage_unavailable: { title: 'The disk does not take it', remedy: 'Free space, or check that the data folder can be written.' },
  canceled: { title: 'It was canceled', remedy: 'Call again to start over.' },
  limit_reached: { title: 'There are as many of these as there may be', remedy: 'End or remove one of them first.' },
  internal_error: { title: 'Something broke inside', remedy: 'Try again; if it stays, report it with the diagnostics of this device.' },
} as const satisfies Record<string, { readonly title: string; readonly remedy: string }>

export type CommandErrorCode = keyof typeof commandErrors

export const commandErrorCodes = Object.keys(commandErrors) as CommandErrorCode[]
