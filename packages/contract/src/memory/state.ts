import type { Transitions } from '../transition/index.ts'

export const memoryStates = ['active', 'superseded', 'archived'] as const
export type MemoryState = (typeof memoryStates)[number]

export const memoryTriggers = ['supersede', 'archive', 'reinstate'] as const
export type MemoryTrigger = (typeof memoryTriggers)[number]

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
