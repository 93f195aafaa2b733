// What recovery says: the timeline, the preview of a restore, and its end.
import type { CheckpointName, DiffOmission, RestoreChange, RestoreKind } from '@tandem/contract/checkpoint'
import { locale } from './locale.ts'

const count = (number: number, one: string, many: string) => `${number.toLocaleString(locale)} ${number === 1 ? one : many}`

export const recoveryWords = {
  title: 'Recovery',
  lead: 'Before an agent changes anything, how things were is kept. Whatever it did can be taken back, and the taking back as well.',
  choose: 'Runs that can be taken back',
  none: 'Nothing to take back yet. Recovery points appear here as soon as an agent changes a file or runs a command.',
  back: 'All runs',
  timeline: 'Timeline',
  timelineOf: (title: string) => `Recovery points of ${title}`,
  timelineLead: 'Newest first. Going back to a point takes back everything the run did since.',
  noPoints: 'This run has changed nothing, so there is nothing to take back.',
  takePoint: 'Take a recovery point',
  takingPoint: 'Taking a recovery point…',
  pointTaken: 'A recovery point was taken: you can come back to how things are now.',
  doesNotComeBack: (text: string) => `Does not come back: ${text}`,
  sameConversation: 'Other runs of this conversation',
  toConversation: 'To the conversation',
  toTimeline: 'To the timeline',
  gone: 'There is no such run here.',
  more: 'Show more',
  again: 'Try again',

  names: {
    task_recovery_point: 'task recovery point',
    safety_rollback_point: 'safety rollback point',
  } satisfies Record<CheckpointName, string>,
  before: (tool: string) => `Before ${tool}`,
  beforeRestore: 'Before something was taken back',
  onDemand: 'Taken on demand',
  kept: (paths: number, bytes: string) => `${count(paths, 'path', 'paths')} looked at, ${bytes} kept`,
  kinds: {
    filesystem_snapshot: 'every file',
    manifest_snapshot: 'small files whole, the rest by name',
    inventory_snapshot: 'what the command names, and what lies on top',
  } satisfies Record<RestoreKind, string>,
  contentsDeleted: 'Its files can no longer be restored. Their contents were deleted to free space for newer recovery points.',
  restored: 'gone back to',
  open: 'open until the process ends',
  closed: (at: string) => `Closed ${at}, when its background command ended.`,
  closedLate: (at: string) => `Closed ${at}. Its background command had ended while Tandem was not running.`,
  held: 'an approval waits on it',
  failed: 'its call failed',
  look: 'Look and take back',

  previewTitle: (before: string, at: string) => `${before}, ${at}`,
  previewLead: 'This is what going back would do. Nothing has happened yet.',
  looking: 'Holding what was kept against what is there now…',
  nothing: 'No file would change: everything is as it was then. The run itself would still go back.',
  filter: 'Show only',
  all: 'all',
  paths: (number: number) => count(number, 'path', 'paths'),
  changes: {
    created: 'remove',
    changed: 'put back',
    deleted: 'bring back',
    conflict: 'conflict',
    unrecoverable: 'stays',
  } satisfies Record<RestoreChange, string>,
  meanings: {
    created: 'It was made since, and would go.',
    changed: 'It was changed since, and would be as it was.',
    deleted: 'It was removed since, and would come back.',
    conflict: 'Somebody else changed it since.',
    unrecoverable: 'It can not be put back.',
  } satisfies Record<RestoreChange, string>,
  types: { file: 'file', symlink: 'link', directory: 'folder', absent: 'nothing' },
  lines: (added: number, removed: number) => `+${added.toLocaleString(locale)} −${removed.toLocaleString(locale)}`,
  linesSaid: (added: number, removed: number) =>
    `${count(added, 'line comes', 'lines come')} back, ${count(removed, 'line goes', 'lines go')}`,
  cut: 'The rest is too long to show.',
  noDiff: {
    binary: 'It is not a text, so there are no lines to show.',
    too_large: 'It is too large to show what changes in it.',
    too_different: 'Nearly every line differs.',
    same_text: 'The same text, in another encoding.',
    permissions_only: 'Only its permissions differ.',
    unreadable: 'It can not be read now.',
    page_full: 'There is too much to show at once. Narrow the list to see it.',
  } satisfies Record<DiffOmission, string>,
  unprotected: 'What will not come back',
  background: {
    title: 'Changed while background commands ran',
    lead: 'These paths stay as they are unless you select them. Undoing the restore brings back what you selected.',
    running: 'A background command is still running. If you select paths that it changed, it is stopped before the restore.',
    nothingElse: 'Apart from the paths below, no file would change. The run itself would still go back.',
    sums: (removed: number, put: number, brought: number) =>
      `With your selection: ${count(removed, 'path', 'paths')} removed, ${put.toLocaleString(locale)} put back, ${brought.toLocaleString(locale)} brought back.`,
    all: (number: number) => `Restore all ${count(number, 'path', 'paths')}`,
    one: (path: string) => `Restore ${path}`,
    left: (number: number) =>
      `${count(number, 'path', 'paths')} changed while background commands ran and ${number === 1 ? 'was' : 'were'} left untouched.`,
  },
  conflicts: {
    title: (number: number) =>
      number === 1
        ? 'One path was changed by somebody else since. What shall become of it?'
        : `${count(number, 'path was', 'paths were')} changed by somebody else since. What shall become of them?`,
    keep: 'Keep what is there now',
    keepHint: 'Everything else is taken back around it.',
    overwrite: 'Put that back, too',
    overwriteHint: 'What is there now is kept, and comes back when you undo this.',
  },
  restore: 'Take back',
  restoring: 'Taking back…',
  chooseFirst: 'Choose above what becomes of the conflicts.',
  running: 'The run is still running. Restoring pauses it first and stops what it is doing.',
  pauseAndRestore: 'Pause and take back',
  restoreTo: (folder: string) => `Restore to ${folder}`,
  elsewhere: 'This run belongs to another device; its files can be taken back there.',

  done: 'Taken back',
  undone: 'The taking back was undone',
  sums: (removed: number, put: number, brought: number) =>
    `${count(removed, 'path was', 'paths were')} removed, ${put.toLocaleString(locale)} put back, ${brought.toLocaleString(locale)} brought back.`,
  paused: 'The run is paused and can go on from there.',
  messages: (number: number) =>
    number === 1
      ? 'One message of the conversation no longer counts; it is still shown, greyed out.'
      : `${count(number, 'message', 'messages')} of the conversation no longer count; they are still shown, greyed out.`,
  leftAlone: 'Left as they are',
  undo: 'Undo this',
  undoing: 'Undoing…',
  goOn: 'Let the run go on',
  changedMeanwhile: 'Somebody changed a file while you were looking. This is how it stands now; choose again.',
  doing: { restore: 'Taking back', undo: 'Undoing', resume: 'Going on' },
  takeBack: 'Take back…',
  ofRun: 'Recovery points',
} as const
