// Whether a server may use the model, and how often.
import type { ListedMcpServer } from '@tandem/contract/command'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useDraft, useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'

const told = mcpWords.sampling

export function ServerSampling({ listed: { preview, sampling_limit }, again }: { listed: ListedMcpServer; again(): void }) {
  const client = useRuntimeClient()
  const [limit, setLimit] = useDraft(String(sampling_limit))
  const form = useForm({ doing: mcpWords.doing.sampling })
  const save = async () => {
    const params = { server_id: preview.server.server_id, requests_per_run: Number(limit) }
    const answer = await form.send(() => client.channel.call('mcp_server_allow_sampling', params), told.saved)
    if (answer.ok) again()
  }
  return (
    <Section title={told.title} lead={told.lead}>
      <Panel className="p-4">
        <Form form={form} onSubmit={save} className="space-y-3">
          <div className="max-w-60">
            <TextField label={told.limit} field="requests_per_run" type="number" value={limit} onChange={setLimit} />
          </div>
          <FormActions>
            <Button type="submit" disabled={form.isBusy || limit === String(sampling_limit)}>
              {told.save}
            </Button>
          </FormActions>
        </Form>
      </Panel>
    </Section>
  )
}
