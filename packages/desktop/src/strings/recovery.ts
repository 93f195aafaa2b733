// Texts of recovery: the timeline, the preview of a restore, and its result.

import type { CheckpointName, DiffOmission, RestoreChange, RestoreKind } from '@tandem/contract/checkpoint'
import type { MemberWorkspace } from '@tandem/contract/team'
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

export const recoveryWords = translated('recovery', {
  title: 'Recovery',
  lead: 'Tandem saves a recovery point before every change, so you can undo what an agent did to your files, and undo the undo.',
  choose: 'Runs you can restore',
  none: 'Nothing to restore yet. Recovery points appear here when an agent changes a file or runs a command.',
  back: 'All runs',
  timeline: 'Timeline',
  timelineOf: (title: string) => `Recovery points of ${title}`,
  timelineLead: 'Newest first. Restoring a point undoes everything the run did after it.',
  noPoints: 'This run has not changed anything, so there is nothing to restore.',
  takePoint: 'Create recovery point',
  takingPoint: 'Creating a recovery point…',
  pointTaken: 'Recovery point created. You can restore the current state later.',
  doesNotComeBack: (text: string) => `Not restored: ${text}`,
  sameConversation: 'Other runs of this conversation',
  toConversation: 'Open conversation',
  toChanges: 'Show changes',
  toTimeline: 'Back to timeline',
  gone: 'Run not found',
  more: 'Show more',
  again: 'Try again',

  names: {
    task_recovery_point: 'Task recovery point',
    safety_rollback_point: 'Safety rollback point',
  } satisfies Record<CheckpointName, string>,
  before: (tool: string) => `Before ${tool}`,
  beforeRestore: 'Before a restore',
  onDemand: 'Created by you',
  kept: (paths: number, bytes: string) => `${count(paths, 'path', 'paths')} saved, ${bytes}`,
  kinds: {
    filesystem_snapshot: 'Covers all files',
    manifest_snapshot: 'Covers all file names, and the contents of small files, up to a limit',
    inventory_snapshot: 'Covers the files named in the command, and other files that the preview lists',
  } satisfies Record<RestoreKind, string>,
  contentsDeleted: 'Its files can no longer be restored. Their contents were deleted to free space for newer recovery points.',
  restored: 'Restored',
  open: 'Still recording changes of the background command',
  closed: (at: string) => `Recorded changes of the background command until it ended, ${at}.`,
  closedLate: (at: string) => `Recorded changes of the background command until ${at}. The command ended while Tandem was not running.`,
  held: 'Approval pending',
  failed: 'Call failed',
  look: 'Preview restore',

  previewTitle: (before: string, at: string) => `${before}, ${at}`,
  previewLead: 'Preview. Nothing has changed yet.',
  looking: 'Comparing…',
  nothing: 'No files would change. The run itself would still be restored.',
  filter: 'Show only',
  all: 'All',
  paths: (number: number) => count(number, 'path', 'paths'),
  changes: {
    created: 'Remove',
    changed: 'Revert',
    deleted: 'Restore',
    conflict: 'Conflict',
    unrecoverable: 'Cannot restore',
  } satisfies Record<RestoreChange, string>,
  meanings: {
    created: 'Created since then. It will be removed.',
    changed: 'Changed since then. It will be reverted.',
    deleted: 'Deleted since then. It will be restored.',
    conflict: 'Changed outside this run since then.',
    unrecoverable: 'It cannot be restored.',
  } satisfies Record<RestoreChange, string>,
  types: { file: 'file', symlink: 'link', directory: 'folder', absent: 'nothing' },
  lines: (added: number, removed: number) => `+${added.toLocaleString(locale)} −${removed.toLocaleString(locale)}`,
  linesSaid: (added: number, removed: number) => `${count(added, 'line', 'lines')} restored, ${count(removed, 'line', 'lines')} removed`,
  cut: 'The rest is too long to show.',
  noDiff: {
    binary: 'Not a text file, so there are no lines to show.',
    too_large: 'Too large to compare.',
    too_different: 'Nearly every line differs.',
    same_text: 'The same text, in another encoding.',
    permissions_only: 'Only the permissions differ.',
    unreadable: 'It cannot be read now.',
    page_full: 'Too much to show at once. Filter the list to see it.',
  } satisfies Record<DiffOmission, string>,
  unprotected: 'Will not be restored',
  background: {
    title: 'Changed while background commands ran',
    lead: 'These paths stay as they are unless you select them. Undoing the restore brings back what you selected.',
    running: 'A background command is still running. If you select paths that it may have changed, it is stopped before the restore.',
    nothingElse: 'Apart from the paths below, no files would change. The run itself would still be restored.',
    sums: (removed: number, put: number, brought: number) =>
      `With your selection: ${count(removed, 'path', 'paths')} removed, ${put.toLocaleString(locale)} reverted, ${brought.toLocaleString(locale)} restored.`,
    all: (number: number) => `Restore all ${count(number, 'path', 'paths')}`,
    one: (path: string) => `Restore ${path}`,
    left: (number: number) =>
      `${count(number, 'path', 'paths')} changed while background commands ran and ${number === 1 ? 'was' : 'were'} left untouched.`,
  },
  members: {
    title: 'Members of the team',
    lead: 'The run started these members after this point. Restoring pauses those that still work, and the run continues without them.',
    restore: (number: number) => `Also restore ${count(number, 'path', 'paths')} that they changed in the folder of the run`,
    changed: (number: number) => (number === 0 ? 'Changed nothing' : `Changed ${count(number, 'path', 'paths')}`),
    /** Why its changes are not restored, by where it works. */
    why: {
      copy: 'in its own copy, which stays as it is',
      shared: 'that cannot be restored here',
    } satisfies Record<MemberWorkspace, string>,
    restored: (title: string) => `Changes of “${title}”:`,
  },
  conflicts: {
    title: (number: number) =>
      number === 1
        ? 'One path was changed outside this run since then. What should happen to it?'
        : `${count(number, 'path was', 'paths were')} changed outside this run since then. What should happen to them?`,
    keep: 'Keep the current version',
    keepHint: 'Everything else is restored.',
    overwrite: 'Restore it too',
    overwriteHint: 'The current version is saved, and comes back if you undo the restore.',
  },
  restore: 'Restore',
  restoring: 'Restoring…',
  chooseFirst: 'Resolve the conflicts above first.',
  running: 'The run is still running. Restoring pauses it first and stops what it is doing.',
  pauseAndRestore: 'Pause and restore',
  restoreTo: (folder: string) => `Restore to ${folder}`,
  elsewhere: 'This run belongs to another device; restore its files there.',

  done: 'Restored',
  undone: 'Restore undone',
  sums: (removed: number, put: number, brought: number) =>
    `${count(removed, 'path', 'paths')} removed, ${put.toLocaleString(locale)} reverted, ${brought.toLocaleString(locale)} restored.`,
  paused: 'The run is paused and can be continued.',
  messages: (number: number) =>
    number === 1
      ? '1 message was removed from the agent’s context. It is still shown, grayed out.'
      : `${count(number, 'message', 'messages')} were removed from the agent’s context. They are still shown, grayed out.`,
  leftAlone: 'Left unchanged',
  undo: 'Undo restore',
  undoing: 'Undoing…',
  goOn: 'Continue run',
  changedMeanwhile: 'A file changed while you reviewed the preview. The preview is now up to date; choose again.',
  doing: { restore: 'restore', undo: 'undo the restore', resume: 'continue' },
  takeBack: 'Undo…',
  ofRun: 'Recovery points',
} as const)
