// What the diagnostics and settings centers need in addition to the commands of the specification, which does not define these names.
import Type from 'typebox'
import { memoryWritebackStates } from '../learning/index.ts'
import { MemoryWritebackCandidate } from '../learning/schema.ts'
import { Memory, UserModel } from '../memory/schema.ts'
import { PolicyCandidate } from '../policy-candidate/schema.ts'
import { Id, Key, listOf, object, oneOf, pageOf } from '../shape.ts'
import { SkillRecommendation } from '../skill-recommendation/schema.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

export const diagnosticsCommands = {
  memory_list_writeback_candidates: {
    summary: 'List memory candidates from runs that are not yet in long-term memory.',
    params: listParams({
      agent_id: Type.Optional(Key),
      run_id: Type.Optional(Id),
      state: Type.Optional(oneOf(memoryWritebackStates)),
    }),
    result: pageOf(MemoryWritebackCandidate),
  },
  memory_commit_writeback_candidate: {
    summary: 'Write a candidate to long-term memory.',
    params: object({ candidate_id: Id }),
    result: object({ candidate: MemoryWritebackCandidate, memory: Memory }),
  },
  memory_dismiss_writeback_candidate: {
    summary: 'Discard a candidate.',
    params: object({ candidate_id: Id }),
    result: object({ candidate: MemoryWritebackCandidate }),
  },
  memory_get_user_model: {
    summary: 'Show what is known about the user: signals and profiles.',
    params: object({ agent_id: Type.Optional(Key) }),
    result: object({ user_model: UserModel }),
  },
  learning_advance_candidates: {
    summary: 'Advance every policy candidate and skill recommendation as far as possible: one manual round of the schedulers.',
    params: object({ agent_id: Type.Optional(Key) }),
    result: object({ policy_candidates: listOf(PolicyCandidate), skill_recommendations: listOf(SkillRecommendation) }),
  },
} satisfies Record<CommandNameIn<'diagnostics'>, Command>
