// Texts about branches of a conversation, and about messages that wait.
import { translated } from '../language/language.ts'
export const branchWords = translated('branchWords', {
  edit: 'Edit message',
  editing: 'Edited message',
  send: 'Send',
  regenerate: 'Regenerate',
  retry: 'Try again',
  branch: 'Branch from here',
  switch: 'Branches of this conversation',
  position: (at: number, all: number) => `${at} of ${all}`,
  previous: 'Previous branch',
  next: 'Next branch',
  count: (all: number) => `${all} branches`,
  empty: 'This branch has no messages of its own yet. Write one to continue from here.',
  doing: { branch: 'Couldn’t start a branch', send: 'Couldn’t send', restore: 'Couldn’t restore the files' },

  /** Before a message is sent from an earlier point. */
  files: {
    title: 'Also restore the files to that point?',
    lead: 'The agent changed files after this message. The conversation as it is now stays available as a branch either way.',
    looking: 'Comparing files…',
    later: (title: string) => `Changed by “${title}”`,
    restore: 'Restore the files',
    restoring: 'Restoring…',
    keep: 'Keep the files as they are',
    chooseFirst: 'Choose what happens to the conflicts first.',
    members: (number: number) => `Also restore ${number === 1 ? '1 path' : `${number} paths`} that members of the team changed`,
    busy: (title: string) => `“${title}” is working in the same conversation, so no files were restored`,
    busyRemedy: 'Stop it first.',
    partly: (titles: readonly string[]) =>
      `Already restored: the files of ${titles.map((title) => `“${title}”`).join(', ')}. The other files were not restored`,
  },
} as const)

export const queueWords = translated('queueWords', {
  edit: 'Edit',
  editing: 'Edit the queued message',
  remove: 'Remove',
  sendNow: 'Send now',
  sendingNow: 'Interrupting…',
  sendNowHint: 'Interrupts what the agent is doing and sends all queued messages next. A tool that is running may finish.',
  send: 'Send',
  sending: 'Sending…',
  sendHint: 'Sends all messages that this run did not receive.',
  doing: {
    edit: 'Couldn’t change the message',
    remove: 'Couldn’t remove the message',
    sendNow: 'Couldn’t send now',
    send: 'Couldn’t send',
  },
  waits: {
    turn: 'Queued. The agent gets this message at its next turn.',
    answer: 'Queued. The agent gets this message after you answer above.',
    budget: 'Queued. The budget is used up: allow more, and the agent gets this message.',
    stopped: 'Not sent: you stopped the run first.',
    ended: 'Not sent: the run ended first.',
  },
  delivered: 'The agent received the message before you saved your change. Your text is here: send it as a new message.',
  placeholder: 'Write to the agent while it works',
  continues: 'Write a message to continue',
} as const)

/** Why Enter did not send. */
export const enterWords = translated('enterWords', {
  empty: 'Write a message first.',
  sending: 'Sending… One moment.',
  attaching: 'Files are still being attached. Press Enter again when they are ready.',
} as const)
