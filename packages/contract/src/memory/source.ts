import type { MemoryKind } from './kind.ts'

/** Who or what wrote a memory. */
export const memorySourceTypes = [
  'bootstrap',
  'user_statement',
  'user_correction',
  'tool_call',
  'memory_flush',
  'heartbeat_review',
  'memory_writeback',
  'distillation',
] as const
export type MemorySourceType = (typeof memorySourceTypes)[number]

/**
 * Whose words a memory rests on. `person`: the user's own. `agent`: a conclusion of the agent. `untrusted`: a conclusion that names a host, a
 * path outside the workspace, a command or a permission that the user never named; it is never put into a prompt until the user confirms it.
 */
export const memoryAuthorities = ['person', 'agent', 'untrusted'] as const
export type MemoryAuthority = (typeof memoryAuthorities)[number]

/** The source of a claim. */
export const evidenceSources = ['message', 'run_step', 'tool_call', 'memory', 'user_correction', 'file'] as const
export type EvidenceSource = (typeof evidenceSources)[number]

export const memoryFlushReasons = ['compaction', 'heartbeat_review', 'run_end', 'manual'] as const
export type MemoryFlushReason = (typeof memoryFlushReasons)[number]

export const heartbeatReviewTriggers = ['schedule', 'manual'] as const
export type HeartbeatReviewTrigger = (typeof heartbeatReviewTriggers)[number]

/** What a heartbeat review looks for, and the kind under which each finding is stored. A lesson is knowledge, so it is `semantic`. */
export const heartbeatExtractions = {
  preference: 'preference',
  decision: 'decision',
  procedural: 'procedural',
  relationship: 'relationship',
  lessons_learned: 'semantic',
} as const satisfies Record<string, MemoryKind>
export type HeartbeatExtraction = keyof typeof heartbeatExtractions
