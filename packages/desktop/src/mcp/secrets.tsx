import type { McpServer } from '@tandem/contract/mcp'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../desk/use-desk.ts'
import { Button } from '../part/button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
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
  const desk = useDesk()
  const [value, setValue] = useState('')
  const [said, setSaid] = useState('')
  const keep = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await desk.ask(mcpWords.doing.secret, 'mcp_server_set_secret', { server_id, kind, name, value })
    if (!answer.ok) return
    setValue('')
    setSaid(mcpWords.secrets.kept)
    again()
  }
  return (
    <form onSubmit={keep} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 grow">
        <TextField
          label={mcpWords.secrets.value(visibleName(name))}
          hint={mcpWords.secrets.hint}
          type="password"
          value={value}
          onChange={setValue}
        />
      </div>
      <Button type="submit" disabled={value === ''}>
        {mcpWords.secrets.keep}
      </Button>
      <span role="status" className="text-good text-sm">
        {said}
      </span>
    </form>
  )
}
