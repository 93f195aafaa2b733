// Three versions of a text become one: what only one side changed is taken, and changes that touch are left to a person.
import { type LineChange, lineChanges, linesOf } from './line-changes.ts'

export type MergedPart =
  /** `replaces`: how many lines of the base. */
  | { readonly from: 'base' | 'ours' | 'theirs' | 'both'; readonly lines: readonly string[]; readonly replaces: number }
  | {
      readonly from: 'conflict'
      readonly base: readonly string[]
      readonly ours: readonly string[]
      readonly theirs: readonly string[]
    }

export interface MergedText {
  readonly parts: readonly MergedPart[]
  readonly conflicts: number
  /** Null as long as there is a conflict. */
  readonly text: string | null
}

type Side = 'ours' | 'theirs'
type SidedChange = LineChange & { readonly side: Side }

export function mergeTexts(base: string, ours: string, theirs: string): MergedText {
  const lines = linesOf(base)
  const changes = [...changesOf('ours', lines, ours), ...changesOf('theirs', lines, theirs)]
  const parts: MergedPart[] = []
  let at = 0
  for (const group of touching(changes)) {
    const { from, to } = group
    if (from > at) parts.push({ from: 'base', lines: lines.slice(at, from), replaces: from - at })
    parts.push(merged(lines, group))
    at = to
  }
  if (at < lines.length) parts.push({ from: 'base', lines: lines.slice(at), replaces: lines.length - at })
  const conflicts = parts.filter((part) => part.from === 'conflict').length
  return { parts, conflicts, text: conflicts > 0 ? null : parts.flatMap((part) => ('lines' in part ? part.lines : [])).join('') }
}

function changesOf(side: Side, base: readonly string[], text: string): readonly SidedChange[] {
  return lineChanges(base, linesOf(text)).map((change) => ({ ...change, side }))
}

interface Group {
  readonly from: number
  readonly to: number
  readonly changes: readonly SidedChange[]
}

/** Changes whose ranges in the base overlap, or have no line between them, belong together. */
function touching(changes: readonly SidedChange[]): readonly Group[] {
  const groups: { from: number; to: number; changes: SidedChange[] }[] = []
  for (const change of changes.toSorted((left, right) => left.from - right.from || left.to - right.to)) {
    const last = groups.at(-1)
    if (last && change.from <= last.to) {
      last.to = Math.max(last.to, change.to)
      last.changes.push(change)
    } else groups.push({ from: change.from, to: change.to, changes: [change] })
  }
  return groups
}

function merged(base: readonly string[], group: Group): MergedPart {
  const [ours, theirs] = [sideOf('ours', base, group), sideOf('theirs', base, group)]
  const replaces = group.to - group.from
  if (theirs === null) return { from: 'ours', lines: ours ?? [], replaces }
  if (ours === null) return { from: 'theirs', lines: theirs, replaces }
  const isSame = ours.length === theirs.length && ours.every((line, index) => line === theirs[index])
  if (isSame) return { from: 'both', lines: ours, replaces }
  return { from: 'conflict', base: base.slice(group.from, group.to), ours, theirs }
}

/** The lines of one side in the range of the group; null if that side changed nothing there. */
function sideOf(side: Side, base: readonly string[], { from, to, changes }: Group): readonly string[] | null {
  const own = changes.filter((change) => change.side === side)
  if (own.length === 0) return null
  const lines: string[] = []
  let at = from
  for (const change of own) {
    lines.push(...base.slice(at, change.from), ...change.lines)
    at = change.to
  }
  return [...lines, ...base.slice(at, to)]
}
