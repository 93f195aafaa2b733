// The user writes a definition, reviews how the runtime reads it, and then adds it.
import type { McpServerPreview } from '@tandem/contract/command'
import type { McpServer } from '@tandem/contract/mcp'
import { approvalModes } from '@tandem/contract/tool'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Choice } from '../part/form/choice.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { words } from '../strings/window.ts'
import { splitLines } from '../text/split-lines.ts'
import { ServerCommandPreview } from './server-preview.tsx'

const told = mcpWords.form
const transports = [told.transports.stdio, told.transports.http] as const

export function AddServer({ onDone }: { onDone(): void }) {
  const client = useRuntimeClient()
  const [transport, setTransport] = useState<(typeof transports)[number]>(told.transports.stdio)
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
  const form = useForm()
  const consenting = useForm()
  const field = (name: keyof typeof fields, of: string = name) => ({
    field: `server.${of}`,
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
  })
  const isProgram = transport === told.transports.stdio
  const definition = (): McpServer => {
    const { server_id, name, command, args, env, folder, url, headers, query } = fields
    const common = { server_id: server_id.trim(), name: name.trim() || server_id.trim(), enabled: true, auto_reconnect: true }
    const held = { ...common, default_approval_mode: mode }
    return isProgram
      ? {
          ...held,
          transport: 'stdio',
          command: command.trim(),
          // An argument may begin or end with a space; only empty lines are ignored.
          args: args.split('\n').filter((line) => line !== ''),
          env_names: splitLines(env),
          working_directory: folder.trim() || null,
        }
      : { ...held, transport: 'http', url: url.trim(), header_names: splitLines(headers), query_names: splitLines(query) }
  }
  const look = async () => {
    const answer = await form.send(() => client.channel.call('mcp_server_preview', { server: definition() }))
    setPreview(answer.ok ? answer.value.preview : null)
  }
  const given = () => (preview ? { definition_sha256: preview.definition_sha256, network_hosts: splitLines(hosts) } : null)
  const add = async (consent: { definition_sha256: string; network_hosts: string[] } | null) => {
    if (!preview) return
    const answer = await consenting.send(() => client.channel.call('mcp_server_add', { server: preview.server, consent }))
    if (answer.ok) onDone()
  }
  return (
    <Panel className="mb-8 p-4">
      <h2 className="mb-3 font-semibold text-lg">{told.title}</h2>
      {preview ? (
        <Form form={consenting} onSubmit={() => add(given())} className="space-y-4">
          <ServerCommandPreview preview={preview} />
          <p className="text-soft text-sm">{mcpWords.consent.lead}</p>
          {isProgram && (
            <TextField
              label={mcpWords.consent.hosts}
              field="consent.network_hosts"
              hint={mcpWords.consent.hostsHint}
              rows={2}
              value={hosts}
              onChange={setHosts}
              mono
            />
          )}
          <FormActions>
            <PrimaryButton type="submit">{told.addWithYes}</PrimaryButton>
            <Button onClick={() => add(null)}>{told.addWithout}</Button>
            <Button onClick={() => setPreview(null)}>{told.again}</Button>
          </FormActions>
        </Form>
      ) : (
        <Form form={form} onSubmit={look} className="grid gap-4 sm:grid-cols-2">
          <div className="sm:col-span-2">
            <Choice label={told.transport} values={transports} value={transport} onChange={setTransport} mono={false} />
          </div>
          <TextField label={told.server_id} hint={told.server_idHint} {...field('server_id')} mono />
          <TextField label={told.name} hint={told.nameHint} {...field('name')} />
          {isProgram ? (
            <>
              <TextField label={told.command} {...field('command')} mono />
              <TextField label={told.folder} hint={told.folderHint} {...field('folder', 'working_directory')} mono />
              <TextField label={told.args} rows={3} {...field('args')} mono />
              <TextField label={told.env} rows={3} {...field('env', 'env_names')} mono />
            </>
          ) : (
            <>
              <div className="sm:col-span-2">
                <TextField label={told.url} hint="https://…" {...field('url')} mono />
              </div>
              <TextField label={told.headers} rows={2} {...field('headers', 'header_names')} mono />
              <TextField label={told.query} rows={2} {...field('query', 'query_names')} mono />
            </>
          )}
          <div className="sm:col-span-2">
            <Choice
              label={told.mode}
              values={approvalModes}
              value={mode}
              onChange={setMode}
              nameOf={(one) => words.agents.approvalModes[one]}
              mono={false}
            />
          </div>
          <FormActions className="sm:col-span-2">
            <PrimaryButton type="submit" disabled={form.isBusy || fields.server_id.trim() === ''}>
              {told.look}
            </PrimaryButton>
          </FormActions>
        </Form>
      )}
    </Panel>
  )
}
