import type { Transitions } from '../transition/index.ts'

export const memoryWritebackStates = ['pending', 'committed', 'dismissed'] as const
export type MemoryWritebackState = (typeof memoryWritebackStates)[number]

export const memoryWritebackTriggers = ['commit', 'dismiss'] as const
export type MemoryWritebackTrigger = (typeof memoryWritebackTriggers)[number]

export const memoryWritebackTransitions = {
  noun: 'memory_writeback_candidate',
  states: memoryWritebackStates,
  triggers: memoryWritebackTriggers,
  initial: 'pending',
  rows: [
    { from: ['pending'], on: 'commit', to: 'committed' },
    { from: ['pending'], on: 'dismiss', to: 'dismissed' },
  ],
} satisfies Transitions<MemoryWritebackState, MemoryWritebackTrigger>
