// Texts about the changes of a conversation: files, diffs, undo and comments.

import type { DiffOmission } from '@tandem/contract/checkpoint'
import type { ChangedFile } from '@tandem/contract/command'
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

export const changeWords = translated('changes', {
  /** The message with the comments, which the agent reads. */
  message: {
    lead: (comments: number) => (comments === 1 ? 'A comment on your changes:' : 'Comments on your changes:'),
    place: (name: string, from: number, to: number, side: 'before' | 'after') =>
      `\`${name}\`, ${from === to ? `line ${from}` : `lines ${from}–${to}`}${side === 'before' ? ' before your change' : ''}:`,
  },
  title: 'Changes',
  open: 'Changes',
  close: 'Close',
  back: 'Back to the conversation',
  all: 'All runs',
  of: 'Changes of',
  refresh: 'Refresh',
  comparing: 'Comparing files…',
  none: 'No files changed.',
  noneLead: 'Files that agents change in this conversation appear here, with their diffs.',
  summary: ({ added, changed, removed, renamed }: Record<ChangedFile['change'], number>) =>
    [
      added > 0 ? `${added.toLocaleString(locale)} added` : '',
      changed > 0 ? `${changed.toLocaleString(locale)} changed` : '',
      renamed > 0 ? `${renamed.toLocaleString(locale)} renamed` : '',
      removed > 0 ? `${removed.toLocaleString(locale)} removed` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  files: (number: number) => count(number, 'file', 'files'),
  since: (time: string) => `since ${time}`,
  conflicts: (number: number) => `${count(number, 'file was', 'files were')} changed by others since.`,
  repository: (number: number) => `${count(number, 'file', 'files')} of version control (.git) changed too.`,
  incomplete: 'Older recovery points were deleted. Changes before the oldest one are not listed.',
  missing: (folder: string) => `The folder ${folder} no longer exists, so its files cannot be compared.`,
  foldAll: 'Fold all',
  unfoldAll: 'Unfold all',
  more: 'Show more files',
  moreLines: (left: number) => `Show more lines (${left.toLocaleString(locale)} left)`,
  loading: 'Loading the diff…',
  coarse: 'The file changed so much that the changed part is shown as replaced.',
  gap: 'Unchanged lines',
  changes: { added: 'added', changed: 'changed', removed: 'removed', renamed: 'renamed' } satisfies Record<ChangedFile['change'], string>,
  renamedFrom: (path: string) => `from ${path}`,
  mode: (before: string, after: string) => `permissions ${before} → ${after}`,
  link: 'link',
  background: 'while a background command ran',
  backgroundRunning: 'while a background command ran that is still running',
  lines: (added: number, removed: number) => `${count(added, 'line', 'lines')} added, ${count(removed, 'line', 'lines')} removed`,
  noDiff: {
    binary: 'Binary file: no diff.',
    too_large: 'The file is too large for a diff.',
    too_different: 'The file changed too much for a diff.',
    same_text: 'The text is the same, in another encoding.',
    permissions_only: 'The content is the same.',
    unreadable: 'The content cannot be read.',
    page_full: 'Open the file alone to see its diff.',
  } satisfies Record<DiffOmission, string>,
  undo: 'Undo',
  undoFile: (name: string) => `Undo the changes to ${name}`,
  undoing: 'Undoing…',
  impossible: 'Cannot be undone',
  conflict: 'Undoing would overwrite what others changed.',
  overwrite: 'Overwrite and undo',
  running: 'A background command that may have changed this file is still running. It is stopped before the undo.',
  stopAndUndo: 'Stop it and undo',
  cancel: 'Cancel',
  undone: (name: string) => `Undone: ${name}`,
  broughtBack: (name: string) => `Brought back: ${name}`,
  bringBack: 'Bring back',
  leftAlone: (name: string, reason: string) => `${name} was left as it is: ${reason}.`,
  busy: 'Undo is available when no run is working.',
  diffOf: (name: string) => `Diff of ${name}. Use the arrow keys to choose lines, and Enter to comment.`,
  comment: {
    on: (lines: string) => `Comment on ${lines}`,
    line: (number: number) => `line ${number}`,
    lines: (from: number, to: number) => `lines ${from}–${to}`,
    earlier: (lines: string) => `${lines} before the change`,
    hint: 'What should the agent change here?',
    add: 'Add comment',
    save: 'Save',
    cancel: 'Cancel',
    fewer: 'Comment on fewer lines',
    more: 'Comment on more lines',
    edit: 'Edit',
    remove: 'Remove',
    waiting: (number: number) => count(number, 'comment', 'comments'),
    send: 'Send to the agent',
    sending: 'Sending…',
    discard: 'Discard',
    queued: 'A run is working: the agent gets your comments at its next turn.',
  },
  doing: { undo: 'Couldn’t undo', send: 'Couldn’t send the comments', load: 'Couldn’t load the changes' },
} as const)
