// The resolution cycle: which memories are active, which gave way to others, and which contradict each other. Pure. The result follows
// from what the memories are (content, rank, creation), from decisions and from recorded links, not from the order in which they are given.
import {
  type Memory,
  type MemoryDecision,
  type MemoryResolution,
  type MemoryStateReason,
  type MemoryTrigger,
  memoryTransitions,
} from '@tandem/contract/memory'
import { transition } from '@tandem/contract/transition'
import { conflictsAmong } from './conflict.ts'
import { contest } from './contest.ts'
import { followLinks } from './link.ts'
import { mergedQuotes, mergeSame } from './merge.ts'
import { revoke } from './revoke.ts'
import { assignSlots, type SimilarPair } from './slot-assignment.ts'
import { isAlive, isDecidedAgainst, momentOf, type Standing, scopeOf, standingOf, takesPart } from './standing.ts'
import { type Verdict, verdictsOf } from './verdict.ts'

export interface ResolutionInput {
  /** Of one subject and one owner, in all states. Others do no harm: they never interact. */
  readonly memories: readonly Memory[]
  readonly decisions: readonly MemoryDecision[]
  /** By memory id: words that end an earlier memory. Needed once, in the first cycle with that memory. */
  readonly revokes: ReadonlyMap<string, readonly string[]>
  /** Pairs that recall found for the same subject. Needed once, in the first cycle with the newer of both. */
  readonly similar: readonly SimilarPair[]
}

/** `reason` is the reason of the state afterwards; without a trigger, the state stays. Absent fields stay as they are. */
export interface MemoryChange {
  readonly id: string
  readonly trigger: MemoryTrigger | null
  readonly reason: MemoryStateReason | null
  readonly slot?: string | null
  readonly conflicts_with?: readonly string[]
  readonly supersedes?: readonly string[]
  readonly quotes?: Memory['quotes']
}

export interface Resolved {
  readonly changes: readonly MemoryChange[]
  readonly resolution: MemoryResolution
}

/** The limit of the contract for `supersedes`. */
const mostSuperseded = 100

export function resolveMemories({ memories, decisions, revokes, similar }: ResolutionInput): Resolved {
  const verdicts = verdictsOf(decisions)
  const inOrder = memories.toSorted((left, right) => (momentOf(left) < momentOf(right) ? -1 : 1))
  const changes: MemoryChange[] = []
  const conflicting: string[] = []
  for (const scope of Map.groupBy(inOrder, scopeOf).values()) {
    const standings = standingsOf(scope, similar, verdicts)
    const conflicts = settle(standings, revokes)
    conflicting.push(...conflicts.keys())
    changes.push(...changesOf(standings, conflicts))
    changes.push(...scope.filter((memory) => !takesPart(memory)).flatMap((memory) => decidedOnly(memory, verdicts.get(memory.id))))
  }
  const superseded = changes.filter(({ trigger }) => trigger === 'supersede').map(({ id }) => id)
  return {
    changes: changes.sort((left, right) => (left.id < right.id ? -1 : 1)),
    resolution: { conflicting: conflicting.sort(), superseded: superseded.sort(), archived: [] },
  }
}

/** The memories after the changes; time stamps and versions are the store's. */
export function applyChanges(memories: readonly Memory[], changes: readonly MemoryChange[]): readonly Memory[] {
  const byId = new Map(changes.map((change) => [change.id, change]))
  return memories.map((memory) => {
    const change = byId.get(memory.id)
    if (!change) return memory
    const { id: _id, trigger, reason, ...rest } = change
    const fields = { ...memory, ...structuredClone(rest), state_reason: reason } as Memory
    if (trigger === null) return fields
    const outcome = transition(memoryTransitions, memory.state, trigger)
    if (!outcome.ok) throw new Error(outcome.message)
    return { ...fields, state: outcome.state }
  })
}

function standingsOf(
  scope: readonly Memory[],
  similar: readonly SimilarPair[],
  verdicts: ReadonlyMap<string, Verdict>,
): ReadonlyMap<string, Standing> {
  const listers = new Map<string, Memory[]>()
  for (const memory of scope) for (const id of memory.supersedes) listers.set(id, [...(listers.get(id) ?? []), memory])
  const present = scope.filter(takesPart)
  const slots = assignSlots(present, similar)
  return new Map(
    present.map((memory) => {
      const slot = slots.get(memory.id) ?? { key: null, isSingle: false }
      return [memory.id, standingOf(memory, slot, verdicts.get(memory.id), listers.get(memory.id) ?? [])]
    }),
  )
}

/** Sets when and why each memory ended; returns what is in conflict. */
function settle(standings: ReadonlyMap<string, Standing>, revokes: ReadonlyMap<string, readonly string[]>) {
  const all = [...standings.values()]
  const slots = Map.groupBy(
    all.filter(({ isSingle }) => isSingle),
    ({ slot }) => slot,
  )
  for (const slot of slots.values()) contest(slot)
  const found = [...followLinks(standings), ...revoke(all, revokes)]
  for (const same of Map.groupBy(all, ({ key }) => key).values()) mergeSame(same)
  return conflictsAmong(standings, slots.values(), found)
}

function changesOf(standings: ReadonlyMap<string, Standing>, conflicts: ReadonlyMap<string, readonly string[]>): readonly MemoryChange[] {
  const ended = Map.groupBy(standings.values(), endedByOf)
  return [...standings.values()].flatMap((standing) => {
    const { memory, slot } = standing
    const superseded = ended.get(memory.id) ?? []
    const merged = superseded.filter(({ reason }) => reason === 'merged')
    const after = {
      slot,
      conflicts_with: memory.state === 'archived' ? memory.conflicts_with : (conflicts.get(memory.id) ?? []),
      supersedes: supersededBy(memory, superseded, standings),
      quotes: merged.length === 0 ? memory.quotes : mergedQuotes(memory, mergedInto(merged, ended)),
    }
    const changed = Object.entries(after).filter(([name, value]) => !isEqual(value, memory[name as keyof typeof after]))
    const { trigger, reason } = stateChange(standing)
    if (trigger === null && reason === memory.state_reason && changed.length === 0) return []
    return [{ id: memory.id, trigger, reason, ...Object.fromEntries(changed) }]
  })
}

function stateChange(standing: Standing): Pick<MemoryChange, 'trigger' | 'reason'> {
  const { memory, verdict } = standing
  if (memory.state === 'archived') return { trigger: null, reason: memory.state_reason }
  if (isAlive(standing)) return { trigger: memory.state === 'active' ? null : 'reinstate', reason: null }
  const trigger = memory.state === 'active' ? 'supersede' : null
  if (isDecidedAgainst(memory, verdict)) return { trigger, reason: 'decided' }
  return { trigger, reason: standing.canBeActive ? standing.reason : memory.state_reason }
}

/** The memory that superseded it: the one the user kept instead, or the first that ended it. Null if that is not known any more. */
function endedByOf(standing: Standing): string | null {
  const { memory, verdict, canBeActive, endedBy } = standing
  if (verdict && !verdict.isKept) return verdict.keptId
  return canBeActive && memory.state !== 'archived' ? endedBy : null
}

/** What was recorded stays where this cycle knows nothing better. */
function supersededBy(memory: Memory, superseded: readonly Standing[], standings: ReadonlyMap<string, Standing>): readonly string[] {
  const recorded = memory.supersedes.filter((id) => {
    const one = standings.get(id)
    return !one || (!isAlive(one) && endedByOf(one) === null)
  })
  const ids = [...new Set([...recorded, ...superseded.map((one) => one.memory.id)])]
  return ids.sort().slice(-mostSuperseded)
}

/** Everything merged into a memory, also by way of another. */
function mergedInto(merged: readonly Standing[], ended: ReadonlyMap<string | null, readonly Standing[]>): readonly Memory[] {
  return merged.flatMap(({ memory }) => {
    const before = (ended.get(memory.id) ?? []).filter(({ reason }) => reason === 'merged')
    return [memory, ...mergedInto(before, ended)]
  })
}

/** The user may decide against a memory that otherwise takes no part. */
function decidedOnly(memory: Memory, verdict: Verdict | undefined): readonly MemoryChange[] {
  if (memory.state !== 'active' || !isDecidedAgainst(memory, verdict)) return []
  return [{ id: memory.id, trigger: 'supersede', reason: 'decided' }]
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
