import type { McpServer } from '@tandem/contract/mcp'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'

interface Named {
  readonly kind: 'env' | 'header' | 'query'
  readonly name: string
}

export function Secrets({ server, again }: { server: McpServer; again(): void }) {
  const named: readonly Named[] =
    server.transport === 'stdio'
      ? server.env_names.map((name) => ({ kind: 'env', name }))
      : [
          ...server.header_names.map((name): Named => ({ kind: 'header', name })),
          ...server.query_names.map((name): Named => ({ kind: 'query', name })),
        ]
  return (
    <Section title={mcpWords.secrets.title} lead={mcpWords.secrets.lead}>
      <Panel className="space-y-3 p-4">
        {named.map((one) => (
          <Secret key={`${one.kind}:${one.name}`} server_id={server.server_id} named={one} again={again} />
        ))}
      </Panel>
    </Section>
  )
}

function Secret({ server_id, named: { kind, name }, again }: { server_id: string; named: Named; again(): void }) {
  const client = useRuntimeClient()
  const [value, setValue] = useState('')
  const form = useForm({ doing: mcpWords.doing.secret })
  const keep = async () => {
    const answer = await form.send(
      () => client.channel.call('mcp_server_set_secret', { server_id, kind, name, value }),
      mcpWords.secrets.kept,
    )
    if (!answer.ok) return
    setValue('')
    again()
  }
  return (
    <Form form={form} onSubmit={keep} className="grid gap-2">
      <div className="min-w-0">
        <TextField field="value" label={mcpWords.secrets.value(visibleName(name))} type="password" value={value} onChange={setValue} />
      </div>
      <FormActions>
        <Button type="submit" disabled={form.isBusy || value === ''}>
          {mcpWords.secrets.keep}
        </Button>
      </FormActions>
    </Form>
  )
}
