import type { CommandResult } from '@tandem/contract/command'
import { type ReadRequest, useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { candidateEvents } from './learning-events.ts'

/** Policy candidates that wait for a person. */
export function useWaitingCandidates(): ReadRequest<CommandResult<'agent_run_list_policy_candidates'>> {
  const version = useNewestEventNumber(candidateEvents)
  return useCommand('agent_run_list_policy_candidates', { states: ['canary_ready'], limit: 20 }, { version })
}
