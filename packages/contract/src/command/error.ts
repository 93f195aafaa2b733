// Every error a command can return, and what the caller can do about it.

export const commandErrors = {
  unknown_command: { title: 'Unknown command', remedy: 'Check the name against the list of commands.' },
  invalid_params: { title: 'The input is not valid', remedy: 'Correct the fields named in the message and try again.' },
  invalid_cursor: { title: 'The cursor is not from this list', remedy: 'Load the list again from the beginning.' },
  not_available: {
    title: 'Not available in this version of Tandem',
    remedy: 'Update Tandem; a newer version may support it.',
  },
  not_found: { title: 'Not found', remedy: 'Check the id. The item may have been removed, or exist only on another device.' },
  conversation_erased: {
    title: 'The conversation was deleted',
    remedy: 'It cannot be restored any more. Start a new conversation.',
  },
  transition_refused: {
    title: 'Not possible in the current state',
    remedy: 'Check its state and choose one of the actions named in the message.',
  },
  version_conflict: {
    title: 'The item has changed since you read it',
    remedy: 'Load it again and repeat your change on the current version.',
  },
  review_running: {
    title: 'A review is already running',
    remedy: 'Wait until it has ended. The Memory page and tandem memory status show its progress.',
  },
  run_busy: { title: 'The run is in progress', remedy: 'Wait until it pauses, or stop it first.' },
  run_elsewhere: {
    title: 'The run belongs to another device',
    remedy: 'Continue or stop it on that device, or start a new conversation here.',
  },
  nothing_pending: {
    title: 'Nothing is waiting for an answer',
    remedy: 'Check the run: the question or approval may already be answered.',
  },
  answer_mismatch: { title: 'The answer does not match the question', remedy: 'Choose one of the available answers.' },
  resume_unavailable: { title: 'The run cannot be resumed', remedy: 'Restore one of its recovery points, or start a new run.' },
  checkpoint_expired: { title: 'The recovery point has expired', remedy: 'Choose a newer recovery point.' },
  restore_conflict: {
    title: 'Files have changed since the recovery point',
    remedy: 'Check the preview and choose whether to keep or overwrite them.',
  },
  restore_failed: {
    title: 'Not all files could be restored',
    remedy: 'Make sure that Tandem can write to the paths named in the message, then restore again.',
  },
  incompatible_host: { title: 'This device cannot use the skill', remedy: 'Follow the hints in the compatibility report.' },
  validation_failed: { title: 'Validation failed', remedy: 'Correct the problems that the validation lists.' },
  consent_needed: {
    title: 'Not approved on this device',
    remedy: 'Review what it would run, then approve exactly that.',
  },
  server_unavailable: {
    title: 'The MCP server is not available',
    remedy: 'Read its log, fix the problem named in the message, and connect again.',
  },
  executor_unavailable: {
    title: 'The remote executor is not available',
    remedy: 'Check that it is running and that its address is correct, then try again.',
  },
  signed_out: {
    title: 'You are not signed in on this device',
    remedy: 'Sign in first. Everything that does not need an account works without signing in.',
  },
  sign_in_refused: {
    title: 'Sign-in failed',
    remedy: 'Check the email address and the password. The message has more details.',
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
    remedy: 'Wait for the time given in the message, then try again.',
  },
  other_account: {
    title: 'The data on this device belongs to another account',
    remedy: 'Sign in with that account, or sign out and remove its data first. To use two accounts, use a separate data folder for each.',
  },
  unsent_changes: {
    title: 'Some changes on this device have not been synchronized',
    remedy: 'Synchronize first, or confirm that they can be discarded.',
  },
  cloud_unreachable: {
    title: 'The server cannot be reached',
    remedy: 'Check the network and the address. Your changes are saved here and will be sent automatically.',
  },
  cloud_refused: { title: 'The server rejected the request', remedy: 'Correct the problem named in the message and try again.' },
  model_unavailable: { title: 'No model is available', remedy: 'Sign in, or set a model that this device can reach.' },
  storage_unavailable: {
    title: 'Tandem cannot write to the disk',
    remedy: 'Free up space, or check that Tandem can write to its data folder.',
  },
  canceled: { title: 'Canceled', remedy: 'Try again to start over.' },
  limit_reached: { title: 'The limit has been reached', remedy: 'Remove or stop something that you no longer need, then try again.' },
  internal_error: {
    title: 'Something went wrong',
    remedy: 'Try again. If it keeps happening, report it with a support bundle from the Diagnostics page.',
  },
} as const satisfies Record<string, { readonly title: string; readonly remedy: string }>

export type CommandErrorCode = keyof typeof commandErrors

export const commandErrorCodes = Object.keys(commandErrors) as CommandErrorCode[]
