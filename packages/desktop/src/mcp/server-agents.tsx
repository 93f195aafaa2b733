// Which agents may use a server.
import type { McpServer } from '@tandem/contract/mcp'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCompleteList } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'

const told = mcpWords.agents

export function ServerAgents({ server, again }: { server: McpServer; again(): void }) {
  const client = useRuntimeClient()
  const { state: agents } = useCompleteList('agent_list', {})
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(server.agent_ids ? new Set(server.agent_ids) : null)
  const [said, setSaid] = useState('')
  const toggle = (agent_id: string) => {
    const next = new Set(chosen)
    if (!next.delete(agent_id)) next.add(agent_id)
    setChosen(next)
  }
  const save = async () => {
    const { agent_ids: _before, ...rest } = server
    const changed: McpServer = chosen ? { ...rest, agent_ids: [...chosen] } : rest
    const answer = await client.call(mcpWords.doing.agents, 'mcp_server_update', { server: changed, consent: null })
    setSaid(answer.ok ? told.saved : '')
    if (answer.ok) again()
  }
  const isSame = JSON.stringify(chosen ? [...chosen] : null) === JSON.stringify(server.agent_ids ?? null)
  return (
    <Section title={told.title} lead={told.lead}>
      <Panel className="space-y-2 p-4 text-sm">
        <label className="flex items-baseline gap-2">
          <input type="radio" name="agents" checked={chosen === null} onChange={() => setChosen(null)} className="accent-(--cloud)" />
          {told.all}
        </label>
        <label className="flex items-baseline gap-2">
          <input
            type="radio"
            name="agents"
            checked={chosen !== null}
            onChange={() => setChosen(new Set(server.agent_ids))}
            className="accent-(--cloud)"
          />
          {told.some}
        </label>
        {chosen !== null && agents.state === 'ready' && (
          <ul className="ml-6 space-y-1">
            {agents.value.map(({ agent_id, agent }) => (
              <li key={agent_id}>
                <label className="flex items-baseline gap-2">
                  <input type="checkbox" checked={chosen.has(agent_id)} onChange={() => toggle(agent_id)} className="accent-(--cloud)" />
                  <bdi className="min-w-0 break-words">{visibleName(agent.name)}</bdi>
                </label>
              </li>
            ))}
          </ul>
        )}
        <p className="flex items-center gap-3">
          <Button onClick={save} disabled={isSame}>
            {told.save}
          </Button>
          <span role="status" className="text-faint empty:hidden">
            {said}
          </span>
        </p>
      </Panel>
    </Section>
  )
}
