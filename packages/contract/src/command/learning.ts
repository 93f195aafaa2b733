import Type from 'typebox'
import { FailurePattern, MemoryWritebackCandidate, OutcomeEvaluation, OutcomeVerdict, Reflection } from '../learning/schema.ts'
import { PolicyCandidate, PolicyDivergence } from '../policy-candidate/schema.ts'
import { Flag, Id, Key, Line, listOf, nullable, object, oneOf, pageOf, Text, Timestamp } from '../shape.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

const subject = { kind: oneOf(['agent', 'conversation']), id: Key }
const ofSubject = object({ ...subject, enabled: Flag })

export const learningCommands = {
  learning_list_evaluations: {
    summary: 'List how runs went, the latest first.',
    params: listParams({
      agent_id: Type.Optional(Key),
      run_id: Type.Optional(Id),
      verdict: Type.Optional(OutcomeVerdict),
      since: Type.Optional(Timestamp),
    }),
    result: pageOf(OutcomeEvaluation),
  },
  learning_list_reflections: {
    summary: 'List what was learned from runs, the latest first.',
    params: listParams({ agent_id: Type.Optional(Key), run_id: Type.Optional(Id), since: Type.Optional(Timestamp) }),
    result: pageOf(Reflection),
  },
  learning_of_run: {
    summary: 'Show what a run taught: how it went, what was learned, and what was proposed.',
    params: object({ run_id: Id }),
    result: object({
      /** Of its latest end or restore. Null while it is open, and if learning was turned off. */
      evaluation: nullable(OutcomeEvaluation),
      second_opinion: nullable(OutcomeEvaluation),
      /** A model gave a second opinion that is not used, and why. */
      dropped_opinion: nullable(object({ model: Line, reason: Text })),
      reflection: nullable(Reflection),
      patterns: listOf(FailurePattern),
      writeback_candidates: listOf(MemoryWritebackCandidate),
      policy_candidates: listOf(PolicyCandidate),
      /** Whether runs of its agent and conversation are learned from. */
      enabled: Flag,
    }),
  },
  learning_get_enabled: {
    summary: 'Show whether runs of an agent, or of a conversation, are learned from.',
    params: object(subject),
    result: ofSubject,
  },
  learning_set_enabled: {
    summary: 'Turn learning from runs on or off, for an agent or a conversation.',
    params: ofSubject,
    result: ofSubject,
  },
  learning_keep_policy_candidate: {
    summary: 'Make the changes of an applied candidate part of the policy. Later failures no longer undo them.',
    params: object({ candidate_id: Id }),
    result: object({ candidate: PolicyCandidate }),
  },
  learning_list_policy_divergences: {
    summary: 'List all recorded calls that a candidate would have decided differently: what failed it first, then the latest ones.',
    params: listParams({ validation_id: Id }),
    result: pageOf(PolicyDivergence),
  },
} satisfies Record<CommandNameIn<'learning'>, Command>
