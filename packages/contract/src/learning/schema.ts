import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { MemoryContent, MemoryKind } from '../memory/schema.ts'
import { PolicyChange } from '../policy-candidate/schema.ts'
import { Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp } from '../shape.ts'
import { ToolName } from '../tool/schema.ts'
import { affectedSubsystems, gapKinds, learningTriggers, outcomeDimensions, outcomeEvaluators, outcomeVerdicts } from './outcome.ts'
import { memoryWritebackStates } from './writeback.ts'

export * from './pattern.ts'

export const LearningTrigger = oneOf(learningTriggers)
export const OutcomeVerdict = oneOf(outcomeVerdicts)
export const AffectedSubsystem = oneOf(affectedSubsystems)

const ofRun = { id: Id, run_id: Id, agent_id: Key, conversation_id: Id }

/** How well a run went, overall and by dimension. */
export const OutcomeEvaluation = object({
  ...ofRun,
  /** The step of the end or of the restore: each is evaluated once by each evaluator. */
  step_id: Id,
  trigger: LearningTrigger,
  verdict: OutcomeVerdict,
  score: Fraction,
  scores: listOf(object({ dimension: oneOf(outcomeDimensions), score: Fraction, reason: Line }), { maxItems: outcomeDimensions.length }),
  /** `model`: a second opinion, next to the one by rules. */
  evaluator: oneOf(outcomeEvaluators),
  model: nullable(Line),
  failure_contract: Type.Optional(FailureContract),
  created_at: Timestamp,
})
export type OutcomeEvaluation = Static<typeof OutcomeEvaluation>

/** What was learned from a run. A recommendation that is null requires no action. */
export const Reflection = object({
  ...ofRun,
  evaluation_id: Id,
  root_cause: Text,
  affected_subsystem: AffectedSubsystem,
  recommended_memory_writeback: nullable(object({ memory_kind: MemoryKind, content: MemoryContent, confidence: Fraction })),
  recommended_policy_update: nullable(
    object({ title: Line, rationale: Text, changes: listOf(PolicyChange, { minItems: 1, maxItems: 100 }) }),
  ),
  recommended_workflow_extraction: nullable(
    object({ title: Line, rationale: Text, tools: listOf(ToolName, { minItems: 1, maxItems: 500 }), step_ids: listOf(Id) }),
  ),
  recommended_skill_gap_analysis: nullable(object({ gap_kind: oneOf(gapKinds), rationale: Text })),
  created_at: Timestamp,
})
export type Reflection = Static<typeof Reflection>

/** A memory that a reflection or a gap proposes, until a command commits it to long-term memory. */
export const MemoryWritebackCandidate = object({
  ...ofRun,
  /** Of the run in which it was proposed. */
  reflection_id: Id,
  /** The gap that it would close; null if the reflection proposes it. */
  gap_analysis_id: nullable(Id),
  memory_kind: MemoryKind,
  content: MemoryContent,
  confidence: Fraction,
  state: oneOf(memoryWritebackStates),
  /** The memory it became. */
  memory_id: nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type MemoryWritebackCandidate = Static<typeof MemoryWritebackCandidate>
