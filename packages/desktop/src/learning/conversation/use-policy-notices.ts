import { useMemo } from 'react'
import { useWindowState } from '../../client/use-client.ts'
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { type PolicyNotice, policyNotices } from '../../store/policy-notice.ts'
import { candidateEvents } from '../learning-events.ts'

const none: readonly PolicyNotice[] = []

/** Read from the candidates of the agent, so they are the same after a reload. */
export function usePolicyNotices(conversation_id: string): readonly PolicyNotice[] {
  const agent_id = useWindowState((state) => state.conversations?.get(conversation_id)?.agent_id ?? '')
  const journals = useWindowState((state) => state.journals)
  const read = useCommand(
    'agent_run_list_policy_candidates',
    { states: ['canary_applied', 'rolled_back'], limit: 50, ...(agent_id === '' ? {} : { agent_id }) },
    { version: useNewestEventNumber(candidateEvents) },
  )
  const items = read.state.state === 'ready' ? read.state.value.items : null
  return useMemo(() => {
    const own = items?.filter((one) => one.agent_id === agent_id) ?? []
    return own.length === 0 ? none : policyNotices(own, conversation_id, journals.values())
  }, [items, agent_id, conversation_id, journals])
}
