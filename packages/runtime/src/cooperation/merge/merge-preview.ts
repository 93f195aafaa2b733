// What a merge would do, for the person who approves it, and what it did, for the run that requested it.
import { type CallPreview, cutText, previewLimits } from '@tandem/contract/run'
import type { MergeConflict, MergedFile, PathChange } from '@tandem/contract/team'
import { visibleText } from '@tandem/contract/text'
import { lineDiff } from '../../tools/fs/line-diff.ts'
import type { ConflictSide, PathConflict } from './merge-sides.ts'
import type { TreeEntry } from './merge-trees.ts'
import type { MergePlan, PlannedOperation } from './plan-merge.ts'

/** Of all files together, so that an approval stays readable and small. */
const mostCharacters = 512 * 1024
const mostPerFile = 32 * 1024
const mostPerSide = 8_000
const mostConflicts = 200

export interface ChangedFile {
  readonly path: string
  readonly change: PathChange
  readonly from: string | null
  readonly authors: readonly string[]
}

/** A file that was deleted and another one that was created with its content are one that was renamed. */
export function changedFiles(operations: readonly PlannedOperation[]): readonly ChangedFile[] {
  const deleted = Map.groupBy(
    operations.filter(({ after }) => after === null),
    ({ before }) => contentOf(before),
  )
  const added = Map.groupBy(
    operations.filter(({ before }) => before === null),
    ({ after }) => contentOf(after),
  )
  const renamed = new Map<string, string>()
  for (const [content, from] of deleted) {
    const to = added.get(content) ?? []
    const [source, target] = [from[0], to[0]]
    if (content !== null && source && target && from.length === 1 && to.length === 1) renamed.set(target.path, source.path)
  }
  const sources = new Set(renamed.values())
  return operations
    .filter(({ path }) => !sources.has(path))
    .map((operation) => {
      const { path, authors } = operation
      const from = renamed.get(path) ?? null
      return { path, change: from === null ? changeOf(operation) : 'renamed', from, authors }
    })
}

function changeOf({ before, after }: PlannedOperation): PathChange {
  if (before === null) return 'added'
  if (after === null) return 'deleted'
  return contentOf(before) === contentOf(after) ? 'mode' : 'edited'
}

function contentOf(entry: TreeEntry | null): string | null {
  return entry === null ? null : entry.kind === 'link' ? `link ${entry.target}` : entry.sha256
}

export async function mergePreview(plan: MergePlan): Promise<Extract<CallPreview, { kind: 'merge' }>> {
  const conflicts = Map.groupBy(plan.conflicts, ({ path }) => path)
  const operations = new Map(plan.operations.map((operation) => [operation.path, operation]))
  const changed = changedFiles(plan.operations)
  const known = new Set(changed.map(({ path }) => path))
  // A conflict may leave a path as it is.
  const unchanged = [...conflicts.keys()]
    .filter((path) => !known.has(path))
    .map((path): ChangedFile => ({ path, change: 'edited', from: null, authors: titlesOf(conflicts.get(path) ?? []) }))
  const all = [...unchanged, ...changed].sort(
    (left, right) => Number(conflicts.has(right.path)) - Number(conflicts.has(left.path)) || (left.path < right.path ? -1 : 1),
  )
  const files: MergedFile[] = []
  let left = mostCharacters
  for (const file of all.slice(0, previewLimits.paths)) {
    const diff = await diffOf(plan, file, operations.get(file.path), Math.min(mostPerFile, Math.max(0, left)))
    const shown = (conflicts.get(file.path) ?? []).slice(0, mostConflicts).map((conflict) => toShown(conflict, Math.max(0, left)))
    left -= diff.diff.length + shown.reduce((sum, { base, current, member }) => sum + length(base) + length(current) + length(member), 0)
    const { path, change, from, authors } = file
    files.push({ path, change, from, authors: authors.slice(0, 100).map(line), ...diff, conflicts: shown })
  }
  return {
    kind: 'merge',
    members: plan.members.slice(0, 100).map(({ run_id, title }) => ({ run_id, title: line(title) })),
    files,
    more: all.length - files.length,
    open_conflicts: plan.conflicts.filter(({ resolved }) => resolved === null).length,
    notes: [...plan.notes],
  }
}

export function toShown(conflict: PathConflict, most = mostPerSide): MergeConflict {
  const { conflict_id, kind, line: at, message, base, current, member, choices, resolved } = conflict
  const side = (one: ConflictSide) => toSide(one, Math.min(most, mostPerSide))
  const sides = { base: side(base), current: side(current), member: side(member) }
  // Whoever edits a text that is cut would delete the rest without knowing it.
  const isCut = sides.current.truncated || sides.member.truncated
  return {
    ...{ conflict_id, kind, line: at, message: cutText(message, 2_000).text, ...sides, resolved },
    choices: choices.filter((choice) => !(isCut && choice === 'text')),
  }
}

function toSide({ author, text }: ConflictSide, most: number): MergeConflict['base'] {
  const shown = text === null ? null : cutText(text, most)
  return { author: author === null ? null : line(author), text: shown?.text ?? null, truncated: shown?.cut ?? false }
}

function length({ text }: MergeConflict['base']): number {
  return text?.length ?? 0
}

async function diffOf(plan: MergePlan, { path, from }: ChangedFile, operation: PlannedOperation | undefined, most: number) {
  const none = { diff: '', diff_truncated: false, lines_added: 0, lines_removed: 0 }
  if (!operation) return none
  // A renamed file is compared with what was at its earlier path.
  const before = from === null ? operation.before : operation.after
  const { after } = operation
  if (contentOf(before) === contentOf(after) && before?.kind === 'file' && after?.kind === 'file') {
    if (before.mode === after.mode) return none
    return { ...none, diff: `permissions ${before.mode.toString(8)} → ${after.mode.toString(8)}\n` }
  }
  const [old, now] = [await textOf(plan, before), await textOf(plan, after)]
  if (old === null || now === null) return { diff: '', diff_truncated: false, lines_added: null, lines_removed: null }
  const { diff, truncated, lines_added, lines_removed } = await lineDiff(visibleText(path), old, now, most)
  return { diff, diff_truncated: truncated, lines_added, lines_removed }
}

async function textOf(plan: MergePlan, entry: TreeEntry | null): Promise<string | null> {
  if (entry === null) return ''
  if (entry.kind === 'link') return `link to ${entry.target}\n`
  return (await plan.contents.text(entry.sha256))?.text ?? null
}

function titlesOf(conflicts: readonly PathConflict[]): string[] {
  return [...new Set(conflicts.flatMap(({ member }) => member.author ?? []))]
}

function line(text: string): string {
  return cutText(text, 500).text || '…'
}
