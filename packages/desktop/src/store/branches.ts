// Conversations that part from each other: which belong together, what is shown of each, and where the reader can switch. Pure.
import type { Conversation } from '@tandem/contract/command'
import type { BranchPoint } from '@tandem/contract/run'

type Known = ReadonlyMap<string, Pick<Conversation, 'conversation_id' | 'created_at'> & { readonly branch?: BranchPoint }>

/** A conversation as part of another one: all of it, or what it had before `until`. */
export interface ThreadSegment {
  readonly conversation_id: string
  readonly until: BranchPoint | null
}

/** From the first conversation of the family to this one. */
export function segmentsOf(conversations: Known | null, conversation_id: string): readonly ThreadSegment[] {
  const segments: ThreadSegment[] = [{ conversation_id, until: null }]
  const seen = new Set([conversation_id])
  for (let at = conversations?.get(conversation_id)?.branch; at && !seen.has(at.conversation_id); ) {
    seen.add(at.conversation_id)
    segments.unshift({ conversation_id: at.conversation_id, until: at })
    at = conversations?.get(at.conversation_id)?.branch
  }
  return segments
}

/** The first conversation of the family, also if only another device has it. */
export function rootOf(conversations: Known | null, conversation_id: string): string {
  return segmentsOf(conversations, conversation_id)[0]?.conversation_id ?? conversation_id
}

/** Those that are listed as one line, in the order of `items`: the first of each family, with its whole family. */
export function families<Item extends { readonly conversation_id: string }>(
  conversations: Known | null,
  items: readonly Item[],
): readonly { readonly first: Item; readonly members: readonly Item[] }[] {
  const groups = Map.groupBy(items, ({ conversation_id }) => rootOf(conversations, conversation_id))
  return [...groups.values()].flatMap((members) => (members[0] ? [{ first: members[0], members }] : []))
}

/** A place at which conversations part. `id` is the same in all of them. */
export interface Fork {
  readonly id: string
  /** In which conversation, and before which step, it is shown there; null: at the start of a branch. */
  readonly at: BranchPoint | null
  readonly in: string
  /** The conversation that was there first, then its branches, oldest first. */
  readonly choices: readonly string[]
  readonly chosen: number
}

/** The forks along a thread, from the top. */
export function forksOf(conversations: Known | null, conversation_id: string): readonly Fork[] {
  const all = [...(conversations?.values() ?? [])]
  return segmentsOf(conversations, conversation_id).flatMap(({ conversation_id: here, until }) => {
    const points = new Map<string, { readonly point: BranchPoint; readonly branches: string[] }>()
    const branches = all.filter(({ branch }) => branch?.conversation_id === here)
    branches.sort((one, other) => (one.created_at < other.created_at ? -1 : one.created_at > other.created_at ? 1 : 0))
    for (const { conversation_id: id, branch } of branches) {
      if (!branch || id === here) continue
      const key = pointId(branch)
      points.set(key, { point: branch, branches: [...(points.get(key)?.branches ?? []), id] })
    }
    const left = until === null ? null : pointId(until)
    return [...points].flatMap(([id, { point, branches: others }]): Fork[] => {
      // What comes after the point at which the thread left this conversation is not shown.
      if (until !== null && id !== left && !isBefore(point, until)) return []
      const choices = [here, ...others]
      const next = segmentAfter(conversations, conversation_id, here)
      const chosen = id === left && next !== null ? choices.indexOf(next) : 0
      return [{ id, at: chosen === 0 ? point : null, in: chosen === 0 ? here : (choices[chosen] ?? here), choices, chosen }]
    })
  })
}

function segmentAfter(conversations: Known | null, conversation_id: string, here: string): string | null {
  const segments = segmentsOf(conversations, conversation_id)
  return segments[segments.findIndex((one) => one.conversation_id === here) + 1]?.conversation_id ?? null
}

function pointId({ conversation_id, run_id, seq }: BranchPoint): string {
  return `${conversation_id}:${run_id}:${seq}`
}

/** Ids of runs sort by creation time. */
export function isBefore(one: Pick<BranchPoint, 'run_id' | 'seq'>, other: Pick<BranchPoint, 'run_id' | 'seq'>): boolean {
  return one.run_id < other.run_id || (one.run_id === other.run_id && one.seq < other.seq)
}
