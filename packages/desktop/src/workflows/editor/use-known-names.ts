// What a workflow can name: tools, including those of MCP servers, agents and other workflows.
import { useMemo } from 'react'
import { useCompleteList } from '../../client/use-request.ts'
import { useAgents } from '../../part/agent-select.tsx'
import { visibleName } from '../../text/name.ts'
import type { KnownNames } from './suggestion.ts'

/** `workflow_id` is the workflow that is edited: it cannot start itself. */
export function useKnownNames(workflow_id: string | undefined): KnownNames {
  const agents = useAgents()
  const { state: tools } = useCompleteList('tool_list', {})
  const { state: workflows } = useCompleteList('workflow_list', {})
  return useMemo(
    () => ({
      tools: tools.state === 'ready' ? tools.value.map(({ tool, summary, input_schema }) => ({ name: tool, summary, input_schema })) : [],
      agents: agents.map(({ agent_id, agent }) => ({ id: agent_id, name: visibleName(agent.name) })),
      workflows:
        workflows.state === 'ready'
          ? workflows.value
              .filter((one) => one.workflow_id !== workflow_id)
              .map((one) => ({ id: one.workflow_id, name: visibleName(one.name) }))
          : [],
    }),
    [tools, workflows, agents, workflow_id],
  )
}
