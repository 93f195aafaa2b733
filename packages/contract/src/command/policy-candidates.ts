import Type from 'typebox'
import { PolicyCandidate, PolicyCandidateState, PolicyCandidateValidation } from '../policy-candidate/schema.ts'
import { Id, Key, listOf, object, pageOf, Text } from '../shape.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

const ofCandidate = object({ candidate_id: Id })
const Advanced = object({ candidate: PolicyCandidate, validation: PolicyCandidateValidation })

export const policyCandidateCommands = {
  agent_run_list_policy_candidates: {
    summary: 'List policy candidates, newest first.',
    params: listParams({
      run_id: Type.Optional(Id),
      agent_id: Type.Optional(Key),
      states: Type.Optional(listOf(PolicyCandidateState)),
    }),
    result: pageOf(PolicyCandidate),
  },
  agent_run_get_policy_candidate: {
    summary: 'Show a policy candidate and all of its validations, oldest first.',
    params: ofCandidate,
    result: object({ candidate: PolicyCandidate, validations: listOf(PolicyCandidateValidation) }),
  },
  agent_run_validate_policy_candidate_shadow: {
    summary: 'Test a candidate on recorded calls, without any effect.',
    params: ofCandidate,
    result: Advanced,
  },
  agent_run_prepare_policy_candidate_canary: {
    summary: 'Make a candidate that passed its shadow ready for a canary.',
    params: ofCandidate,
    result: Advanced,
  },
  agent_run_apply_policy_candidate_canary: {
    summary: 'Apply the changes of a candidate as a canary.',
    params: ofCandidate,
    result: Advanced,
  },
  agent_run_rollback_policy_candidate: {
    summary: 'Restore the policy from before the candidate.',
    params: object({ candidate_id: Id, reason: Text }),
    result: Advanced,
  },
} satisfies Record<CommandNameIn<'policy_candidates'>, Command>
