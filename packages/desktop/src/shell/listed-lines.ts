// The lines of the list: conversations with their branches, pinned ones first, then by date. Pure.
import type { Conversation } from '@tandem/contract/command'
import { families, rootOf } from '../store/branches.ts'
import type { Line } from './conversation-actions.ts'
import { type DateGroupName, dateGroups } from './date-groups.ts'

export const views = ['active', 'archived', 'deleted'] as const
export type View = (typeof views)[number]

export interface ListedLine {
  readonly id: string
  readonly first: Conversation
  readonly members: Line
  readonly updated_at: string
}

export interface LineGroup {
  readonly name: 'pinned' | DateGroupName
  readonly items: readonly ListedLine[]
}

/** A conversation that a run or a workflow started for itself is reached from there. */
export function isListed({ hidden, started_by }: Conversation, view: Exclude<View, 'deleted'>): boolean {
  return view === 'archived' ? hidden && !started_by : !hidden
}

/** Those of `before` that are the same stay the same objects, so that only changed lines are rendered again. */
export function linesOf(
  known: ReadonlyMap<string, Conversation> | null,
  shown: readonly Conversation[],
  before: readonly ListedLine[],
): readonly ListedLine[] {
  const old = new Map(before.map((line) => [line.id, line]))
  const ordered = shown.toSorted((left, right) => (left.updated_at < right.updated_at ? 1 : -1))
  return families(known, ordered).map(({ first, members }) => {
    const id = rootOf(known, first.conversation_id)
    const same = old.get(id)
    const isSame = same?.members.length === members.length && members.every((one, at) => one === same.members[at])
    return same && isSame ? same : { id, first, members, updated_at: first.updated_at }
  })
}

export function lineGroups(lines: readonly ListedLine[], view: View, now: Date): readonly LineGroup[] {
  const pinned = view === 'deleted' ? [] : lines.filter(isPinned)
  const others = pinned.length === 0 ? lines : lines.filter((line) => !isPinned(line))
  return [...(pinned.length === 0 ? [] : [{ name: 'pinned' as const, items: pinned }]), ...dateGroups(others, now)]
}

function isPinned({ members }: ListedLine): boolean {
  return members.some(({ pinned }) => pinned)
}
