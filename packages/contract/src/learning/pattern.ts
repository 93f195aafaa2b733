// What recurs over many runs: failures of one kind, sequences that a user or agent repeats, and what is missing.
import Type, { type Static } from 'typebox'
import { failureStages, failureTaxonomies } from '../failure/index.ts'
import { MemoryContent } from '../memory/schema.ts'
import { policyCandidateStates } from '../policy-candidate/state.ts'
import { Count, Flag, Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Sha256, Text, Timestamp, Version } from '../shape.ts'
import { SkillName } from '../skill/schema.ts'
import { ToolName } from '../tool/schema.ts'
import { affectedSubsystems, gapKinds, manualRemediationKinds } from './outcome.ts'
import { memoryWritebackStates } from './writeback.ts'

export const GapKind = oneOf(gapKinds)

/** Failures with one signature: what they have in common, and when they occurred. */
export const FailurePattern = object({
  id: Id,
  agent_id: Key,
  signature: Line,
  taxonomy: oneOf(failureTaxonomies),
  stage: oneOf(failureStages),
  source: Line,
  reason_code: Line,
  affected_subsystem: oneOf(affectedSubsystems),
  summary: Text,
  tool: nullable(ToolName),
  /**
   * The error text without its variable parts, each of which is `<*>`. Empty if the failure has no text, or if only one text is known: that is
   * in the example.
   */
  template: Text,
  occurrences: Count,
  runs: Count,
  run_ids: listOf(Id, { maxItems: 100, description: 'The latest runs it was seen in' }),
  reflection_ids: listOf(Id, { maxItems: 100 }),
  examples: listOf(object({ run_id: Id, call_id: nullable(Key), step_id: Id, excerpt: Text }), { maxItems: 5 }),
  /** What the agent or the user did before it no longer failed, the most frequent first. */
  helped: listOf(object({ summary: Line, times: Count, run_id: Id, call_id: nullable(Key) }), { maxItems: 5 }),
  /** What the runs spent after it occurred. */
  tokens: Count,
  milliseconds: Count,
  /** It was not seen for a long time. It is active again when it occurs again. */
  aged: Flag,
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  version: Version,
})
export type FailurePattern = Static<typeof FailurePattern>

/** What was mined from one run. */
export const BehaviorTrace = object({
  id: Id,
  run_id: Id,
  agent_id: Key,
  conversation_id: Id,
  tool_sequences: listOf(
    object({ signature: Sha256, tools: listOf(ToolName, { minItems: 1, maxItems: 500 }), repetitions: Count, step_ids: listOf(Id) }),
  ),
  repeated_constraints: listOf(object({ constraint: Line, repetitions: Count, message_ids: listOf(Id) })),
  manual_remediations: listOf(object({ kind: oneOf(manualRemediationKinds), summary: Line, step_id: nullable(Id) })),
  created_at: Timestamp,
})
export type BehaviorTrace = Static<typeof BehaviorTrace>

/** What came of a gap that is no matter of skills, and what was decided about it. */
export const GapResult = Type.Union([
  object({ kind: oneOf(['memory']), candidate_id: Id, content: MemoryContent, state: oneOf(memoryWritebackStates) }),
  object({ kind: oneOf(['policy']), candidate_id: Id, title: Line, state: oneOf(policyCandidateStates) }),
  /** A file or folder that the user may add to the knowledge base; `source_id` is null until they do. */
  object({ kind: oneOf(['source']), path: Type.String({ minLength: 1, maxLength: 4_096 }), source_id: nullable(Id) }),
  object({ kind: oneOf(['nothing']), because: Line }),
])
export type GapResult = Static<typeof GapResult>

/** What is missing, based on how often a behavior repeats and on the skills already bound. */
export const SkillGapAnalysis = object({
  id: Id,
  run_id: Id,
  agent_id: Key,
  conversation_id: Id,
  gap_kind: GapKind,
  signature: Sha256,
  summary: Text,
  behavior_trace_ids: listOf(Id),
  repetitions: Count,
  confidence: Fraction,
  /** A skill of the registry that would close the gap. */
  matching_skill: nullable(SkillName),
  already_bound: Flag,
  recommendation_id: nullable(Id),
  /** Null for what leads to a recommendation. */
  led_to: nullable(GapResult),
  created_at: Timestamp,
})
export type SkillGapAnalysis = Static<typeof SkillGapAnalysis>
