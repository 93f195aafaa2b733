// A definition is written, looked at as the runtime reads it, and only then added.
import type { McpServerPreview } from '@tandem/contract/command'
import type { McpServer } from '@tandem/contract/mcp'
import { approvalModes } from '@tandem/contract/tool'
import { type FormEvent, useState } from 'react'
import type { CallError } from '../connection/channel.ts'
import { useDesk } from '../desk/use-desk.ts'
import { Button } from '../part/button.tsx'
import { Choice } from '../part/choice.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleText } from '../text/visible.ts'
import { linesOf } from './lines-of.ts'
import { ServerRuns } from './server-preview.tsx'

const { form } = mcpWords
const transports = [form.transports.stdio, form.transports.http] as const

export function AddServer({ onDone }: { onDone(): void }) {
  const desk = useDesk()
  const [transport, setTransport] = useState<(typeof transports)[number]>(form.transports.stdio)
  const [fields, setFields] = useState({
    server_id: '',
    name: '',
    command: '',
    args: '',
    env: '',
    folder: '',
    url: '',
    headers: '',
    query: '',
  })
  const [mode, setMode] = useState<McpServer['default_approval_mode']>('required')
  const [hosts, setHosts] = useState('')
  const [preview, setPreview] = useState<McpServerPreview | null>(null)
  const [refused, setRefused] = useState<CallError | null>(null)
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
  })
  const isProgram = transport === form.transports.stdio
  const definition = (): McpServer => {
    const { server_id, name, command, args, env, folder, url, headers, query } = fields
    const common = { server_id: server_id.trim(), name: name.trim() || server_id.trim(), enabled: true, auto_reconnect: true }
    const held = { ...common, default_approval_mode: mode }
    return isProgram
      ? {
          ...held,
          transport: 'stdio',
          command: command.trim(),
          // An argument may begin or end with a space; only empty lines are none.
          args: args.split('\n').filter((line) => line !== ''),
          env_names: linesOf(env),
          working_directory: folder.trim() || null,
        }
      : { ...held, transport: 'http', url: url.trim(), header_names: linesOf(headers), query_names: linesOf(query) }
  }
  const look = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await desk.channel.call('mcp_server_preview', { server: definition() })
    setRefused(answer.ok ? null : answer.error)
    setPreview(answer.ok ? answer.value.preview : null)
  }
  const add = async (consent: { definition_sha256: string; network_hosts: string[] } | null) => {
    if (!preview) return
    const answer = await desk.channel.call('mcp_server_add', { server: preview.server, consent })
    setRefused(answer.ok ? null : answer.error)
    if (answer.ok) onDone()
  }
  return (
    <Panel className="mb-8 p-4">
      <h2 className="mb-3 font-semibold text-lg">{form.title}</h2>
      {preview ? (
        <div className="space-y-4">
          <ServerRuns preview={preview} />
          <p className="text-soft text-sm">{mcpWords.consent.lead}</p>
          {isProgram && (
            <TextField label={mcpWords.consent.hosts} hint={mcpWords.consent.hostsHint} rows={2} value={hosts} onChange={setHosts} mono />
          )}
          <div className="flex flex-wrap gap-2">
            <PrimaryButton onClick={() => add({ definition_sha256: preview.definition_sha256, network_hosts: linesOf(hosts) })}>
              {form.addWithYes}
            </PrimaryButton>
            <Button onClick={() => add(null)}>{form.addWithout}</Button>
            <Button onClick={() => setPreview(null)}>{form.again}</Button>
          </div>
        </div>
      ) : (
        <form onSubmit={look} className="grid gap-4 sm:grid-cols-2">
          <div className="sm:col-span-2">
            <Choice label={form.transport} values={transports} value={transport} onChange={setTransport} mono={false} />
          </div>
          <TextField label={form.server_id} hint={form.server_idHint} {...field('server_id')} mono />
          <TextField label={form.name} hint={form.nameHint} {...field('name')} />
          {isProgram ? (
            <>
              <TextField label={form.command} {...field('command')} mono />
              <TextField label={form.folder} hint={form.folderHint} {...field('folder')} mono />
              <TextField label={form.args} rows={3} {...field('args')} mono />
              <TextField label={form.env} rows={3} {...field('env')} mono />
            </>
          ) : (
            <>
              <div className="sm:col-span-2">
                <TextField label={form.url} hint="https://…" {...field('url')} mono />
              </div>
              <TextField label={form.headers} rows={2} {...field('headers')} mono />
              <TextField label={form.query} rows={2} {...field('query')} mono />
            </>
          )}
          <div className="sm:col-span-2">
            <Choice label={form.mode} values={approvalModes} value={mode} onChange={setMode} />
          </div>
          <PrimaryButton type="submit" className="justify-self-start" disabled={fields.server_id.trim() === ''}>
            {form.look}
          </PrimaryButton>
        </form>
      )}
      {refused && (
        <p role="alert" className="mt-3 break-words text-bad">
          {visibleText(refused.message)} {visibleText(refused.remedy)}
        </p>
      )}
    </Panel>
  )
}
