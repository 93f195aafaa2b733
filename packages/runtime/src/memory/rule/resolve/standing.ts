// A memory during a cycle: what it competes with, and when and why it ceased to be active. Pure.
import type { Memory, MemoryStateReason } from '@tandem/contract/memory'
import { rankOf } from './rank.ts'
import { statementKey } from './same.ts'
import type { Verdict } from './verdict.ts'

/** Later than every moment. */
const never = '~'

export interface Standing {
  readonly memory: Memory
  readonly rank: number
  /** Creation time and id: text order is the order in which memories were created. */
  readonly moment: string
  readonly key: string
  /** The slot it fills, and whether that slot holds one value. */
  readonly slot: string | null
  readonly isSingle: boolean
  readonly verdict: Verdict | undefined
  /** Whether the cycle may leave it active. If not, it still stands above what it once replaced. */
  canBeActive: boolean
  /** When it ceased to be active, by which memory and why. */
  ends: string
  endedBy: string | null
  reason: MemoryStateReason | null
}

/** Memories of different scopes never interact: owner, subject, and the conversation of one that applies only there. */
export function scopeOf({ agent_id, subject, only_in_conversation, conversation_id }: Memory): string {
  return JSON.stringify([agent_id, subject, only_in_conversation ? conversation_id : null])
}

/** An untrusted memory and one that was set aside with its messages are as good as absent. */
export function takesPart(memory: Memory): boolean {
  return rankOf(memory) > 0 && !(memory.state === 'archived' && memory.state_reason === 'set_aside')
}

export function momentOf({ created_at, id }: Pick<Memory, 'created_at' | 'id'>): string {
  return `${created_at} ${id}`
}

export function standingOf(
  memory: Memory,
  slot: { readonly key: string | null; readonly isSingle: boolean },
  verdict: Verdict | undefined,
  listers: readonly Memory[],
): Standing {
  const canBeActive = memory.state !== 'archived' && !isDecidedAgainst(memory, verdict) && !hasLostItsSuccessor(memory, verdict, listers)
  const standing: Standing = {
    memory,
    rank: rankOf(memory),
    moment: momentOf(memory),
    key: statementKey(memory),
    slot: slot.key,
    isSingle: slot.isSingle,
    verdict,
    canBeActive,
    ends: never,
    endedBy: null,
    reason: null,
  }
  if (verdict && !verdict.isKept) end(standing, verdict.until, verdict.keptId, 'decided')
  return standing
}

export function isDecidedAgainst({ state, state_reason }: Memory, verdict: Verdict | undefined): boolean {
  return verdict === undefined ? state === 'superseded' && state_reason === 'decided' : !verdict.isKept
}

/** Whether the user decided for it when the memory created at `moment` was known. */
export function isKeptAgainst({ verdict }: Standing, moment: string): boolean {
  return verdict?.isKept === true && moment <= verdict.until
}

/** The earliest end counts. */
export function end(standing: Standing, at: string, by: string, reason: MemoryStateReason): void {
  if (at >= standing.ends) return
  standing.ends = at
  standing.endedBy = by
  standing.reason = reason
}

export function isAlive({ canBeActive, ends }: Standing): boolean {
  return canBeActive && ends === never
}

/**
 * A superseded memory must not return because the one that superseded it was forgotten, deleted or has expired: the old value is still
 * wrong. (One that was set aside is different: it was never said.)
 */
function hasLostItsSuccessor({ state }: Memory, verdict: Verdict | undefined, listers: readonly Memory[]): boolean {
  if (state !== 'superseded' || verdict?.isKept) return false
  return listers.length === 0 || listers.some(isGone)
}

function isGone({ state, state_reason }: Memory): boolean {
  return state === 'archived' && state_reason !== 'set_aside'
}
