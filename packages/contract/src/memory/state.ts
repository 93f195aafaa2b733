import type { Transitions } from '../transition/index.ts'

export const memoryStates = ['active', 'superseded', 'archived'] as const
export type MemoryState = (typeof memoryStates)[number]

export const memoryTriggers = ['supersede', 'archive', 'reinstate'] as const
export type MemoryTrigger = (typeof memoryTriggers)[number]

/**
 * Why a memory is not active. Superseded: `replaced` by a newer value, `merged` with an equal memory, `revoked` by the words of another, or
 * `decided` by the user. Archived: `expired`, `deleted` by an agent, `set_aside` because a restore undid the call that added it,
 * `excluded` because the user turned off remembering in its conversation, or `weakened`: a procedure that too few of its runs completed well.
 */
export const memoryStateReasons = [
  'replaced',
  'merged',
  'revoked',
  'decided',
  'expired',
  'deleted',
  'set_aside',
  'excluded',
  'weakened',
] as const
export type MemoryStateReason = (typeof memoryStateReasons)[number]

/** For users. */
export const memoryStateReasonTexts: Readonly<Record<MemoryStateReason, string>> = {
  replaced: 'a newer value replaced it',
  merged: 'it was merged with an identical memory',
  revoked: 'a later message revoked it',
  decided: 'you decided against it',
  expired: 'it expired',
  deleted: 'the agent archived it',
  set_aside: 'a restore undid the call that added it',
  excluded: 'you turned off remembering in its conversation',
  weakened: 'too few runs that followed it went well',
}

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
