import type { Transitions } from '../transition/index.ts'

export const memoryStates = ['active', 'superseded', 'archived'] as const
export type MemoryState = (typeof memoryStates)[number]

export const memoryTriggers = ['supersede', 'archive', 'reinstate'] as const
export type MemoryTrigger = (typeof memoryTriggers)[number]

/**
 * Why a memory is not active. Superseded: `replaced` by a newer value, `merged` with an equal memory, `revoked` by the words of another, or
 * `decided` by the user. Archived: `expired`, `deleted` by an agent, `set_aside` together with the messages it was based on, or `weakened`: a procedure
 * that too few of its runs completed well.
 */
export const memoryStateReasons = ['replaced', 'merged', 'revoked', 'decided', 'expired', 'deleted', 'set_aside', 'weakened'] as const
export type MemoryStateReason = (typeof memoryStateReasons)[number]

/** Memories are never deleted: one that lost a conflict or expired can be reinstated. */
export const memoryTransitions = {
  noun: 'memory',
  states: memoryStates,
  triggers: memoryTriggers,
  initial: 'active',
  rows: [
    { from: ['active'], on: 'supersede', to: 'superseded' },
    { from: ['active', 'superseded'], on: 'archive', to: 'archived' },
    { from: ['superseded', 'archived'], on: 'reinstate', to: 'active' },
  ],
} satisfies Transitions<MemoryState, MemoryTrigger>
