// What a restore would do, for the terminal: to each path, and to the lines in it.
import type { DiffOmission, RestoreCounts, RestoreDiff, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import type { WithdrawnMember } from '@tandem/contract/team'
import { columnsOf, styled } from '../terminal/style.ts'
import { escapeControls, stripControls } from '../terminal/terminal-text.ts'

export interface Preview {
  readonly counts: RestoreCounts
  readonly entries: readonly RestorePreviewEntry[]
  readonly notes: readonly string[]
  /** Members of the team of the run that the restore would pause. */
  readonly members: readonly WithdrawnMember[]
  /** What changed while background commands ran. */
  readonly background: { readonly counts: RestoreCounts; readonly running: number; readonly entries: readonly RestorePreviewEntry[] }
}

/** Longer diffs are not useful in a terminal. */
const linesOfPath = 60
const linesOfAll = 600

/** What a restore does: created files are removed, deleted ones restored. */
const words = { created: 'remove', changed: 'revert', deleted: 'restore', conflict: 'conflict', unrecoverable: 'cannot restore' } as const
const longestWord = Math.max(...Object.values(words).map((word) => word.length))
const colours = { created: 'red', changed: 'yellow', deleted: 'green', conflict: 'cyan', unrecoverable: 'dim' } as const

const omissions: Record<DiffOmission, string> = {
  binary: 'not text',
  too_large: 'too large to show',
  too_different: 'nearly every line differs',
  same_text: 'the same text in another encoding',
  permissions_only: 'only its permissions differ',
  unreadable: 'it cannot be read now',
  page_full: 'not shown because there are too many',
}

export function previewText({ counts, entries, notes, members, background }: Preview): string {
  const left = { lines: linesOfAll }
  const nothing = ['A restore would not change any files.']
  const calls = entries.length === 0 ? nothing : [`Preview of the restore: ${sumsOf(counts)}`, ...told(entries, left)]
  const group = background.entries.length === 0 ? [] : [groupTitle(background), ...told(background.entries, left)]
  const team = members.length === 0 ? [] : [membersTitle, ...members.map(memberText)]
  const end = left.lines > 0 ? [] : [styled('dim', '  Not all lines are shown here. To see them, use --json.', process.stdout)]
  return [...calls, ...group, ...team, ...notes.map((note) => `Note: ${stripControls(note)}`), ...end].join('\n')
}

const membersTitle = 'Members started after this point. They are paused, and their changes are restored only with --members:'

function memberText({ title, workspace, changed_paths, checkpoint_id }: WithdrawnMember): string {
  const changed = `${changed_paths} ${changed_paths === 1 ? 'path' : 'paths'} changed`
  const kept = workspace === 'copy' ? 'in its own copy, which stays as it is' : 'that cannot be restored here'
  return `  ${escapeControls(title)}: ${changed}${checkpoint_id === null && changed_paths > 0 ? ` ${kept}` : ''}`
}

function groupTitle({ counts, running }: Preview['background']): string {
  const open = running > 0 ? ' A command is still running; selecting its changes stops it.' : ''
  return `Changed while background commands ran, restored only with --background all or --background PATH: ${sumsOf(counts)}.${open}`
}

function sumsOf(counts: RestoreCounts): string {
  const sums = (['created', 'changed', 'deleted', 'conflict', 'unrecoverable'] as const).flatMap((change) =>
    counts[change] > 0 ? [`${words[change]} ${counts[change]}`] : [],
  )
  return sums.join(', ')
}

function told(entries: readonly RestorePreviewEntry[], left: { lines: number }): string[] {
  return entries.flatMap((entry) => {
    const diff = 'diff' in entry && entry.diff ? diffLines(entry.diff, left.lines) : []
    left.lines -= diff.length
    return [entryText(entry), ...diff]
  })
}

export function entryText(entry: RestorePreviewEntry): string {
  const what = styled(colours[entry.change], words[entry.change].padEnd(longestWord), process.stdout)
  const folder = entry.type === 'directory' ? '/' : ''
  const losses = 'lost' in entry && entry.lost ? entry.lost.map((loss) => `\n      ${stripControls(loss)}`).join('') : ''
  return `  ${what}  ${escapeControls(entry.path)}${folder}${'reason' in entry ? `: ${stripControls(entry.reason)}` : ''}${losses}`
}

function diffLines(diff: RestoreDiff, left: number): string[] {
  if (left <= 0) return []
  if (diff.kind === 'none') return [dim(omissions[diff.why])]
  const lines = diff.hunks.split('\n')
  const shown = lines.slice(0, Math.min(linesOfPath, left))
  const rest = lines.length - shown.length
  const more = rest > 0 ? [dim(`… ${diff.truncated ? 'at least ' : ''}${rest} more ${rest === 1 ? 'line' : 'lines'}`)] : []
  return [...shown.map(lineText), ...(rest === 0 && diff.truncated ? [dim('… and more')] : more)]
}

function lineText(line: string): string {
  const width = columnsOf(process.stdout) - 6
  const text = escapeControls(line)
  const fitted = text.length <= width ? text : `${text.slice(0, width - 1)}…`
  const colour = ({ '+': 'green', '-': 'red', '@': 'cyan' } as const)[line.slice(0, 1)]
  return `      ${colour ? styled(colour, fitted, process.stdout) : fitted}`
}

function dim(text: string): string {
  return `      ${styled('dim', text, process.stdout)}`
}
