// Which agents may use a server.
import type { McpServer } from '@tandem/contract/mcp'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCompleteList } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { useDraft, useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'

const told = mcpWords.agents

export function ServerAgents({ server, again }: { server: McpServer; again(): void }) {
  const client = useRuntimeClient()
  const { state: agents } = useCompleteList('agent_list', {})
  const [chosen, setDraft] = useDraft<readonly string[] | null>(server.agent_ids ?? null)
  const form = useForm({ doing: mcpWords.doing.agents })
  const setChosen = (next: readonly string[] | null) => {
    form.edited()
    setDraft(next)
  }
  const toggle = (agent_id: string) => {
    const others = (chosen ?? []).filter((each) => each !== agent_id)
    setChosen(others.length === chosen?.length ? [...others, agent_id] : others)
  }
  const save = async () => {
    const { agent_ids: _before, ...rest } = server
    const changed: McpServer = chosen ? { ...rest, agent_ids: [...chosen] } : rest
    const answer = await form.send(() => client.channel.call('mcp_server_update', { server: changed, consent: null }), told.saved)
    if (answer.ok) again()
  }
  const isSame = JSON.stringify(chosen) === JSON.stringify(server.agent_ids ?? null)
  return (
    <Section title={told.title} lead={told.lead}>
      <Panel className="p-4 text-sm">
        <Form form={form} onSubmit={save} className="space-y-2">
          <label className="flex w-fit items-baseline gap-2">
            <input type="radio" name="agents" checked={chosen === null} onChange={() => setChosen(null)} className="accent-(--cloud)" />
            {told.all}
          </label>
          <label className="flex w-fit items-baseline gap-2">
            <input
              type="radio"
              name="agents"
              checked={chosen !== null}
              onChange={() => setChosen(server.agent_ids ?? [])}
              className="accent-(--cloud)"
            />
            {told.some}
          </label>
          {chosen !== null && agents.state === 'ready' && (
            <ul className="ml-6 space-y-1">
              {agents.value.map(({ agent_id, agent }) => (
                <li key={agent_id}>
                  <label className="flex w-fit items-baseline gap-2">
                    <input
                      type="checkbox"
                      checked={chosen.includes(agent_id)}
                      onChange={() => toggle(agent_id)}
                      className="accent-(--cloud)"
                    />
                    <bdi className="min-w-0 break-words">{visibleName(agent.name)}</bdi>
                  </label>
                </li>
              ))}
            </ul>
          )}
          <FormActions>
            <Button type="submit" disabled={form.isBusy || isSame}>
              {told.save}
            </Button>
          </FormActions>
        </Form>
      </Panel>
    </Section>
  )
}
