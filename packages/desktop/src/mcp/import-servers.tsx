// Imports the servers of another client: the user reviews and selects each one.
import type { CommandResult } from '@tandem/contract/command'
import { type ChangeEvent, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { ServerCommandPreview } from './server-preview.tsx'

const { bring } = mcpWords

export function ImportServers({ onDone }: { onDone(): void }) {
  const client = useRuntimeClient()
  const [text, setText] = useState('')
  const [seen, setSeen] = useState<{ readonly of: string; readonly preview: CommandResult<'mcp_import_preview'> } | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const form = useForm()
  const look = async () => {
    const answer = await form.send(() => client.channel.call('mcp_import_preview', { text }))
    setChosen(new Set())
    setSeen(answer.ok ? { of: text, preview: answer.value } : null)
  }
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    if (file) setText(await file.text())
    setSeen(null)
  }
  const toggle = (server_id: string) => {
    const next = new Set(chosen)
    if (!next.delete(server_id)) next.add(server_id)
    setChosen(next)
  }
  const take = async () => {
    if (!seen) return
    const consents = seen.preview.servers
      .filter(({ server }) => chosen.has(server.server_id))
      .map(({ server: { server_id }, definition_sha256 }) => ({ server_id, definition_sha256, network_hosts: [] }))
    const answer = await form.send(() => client.channel.call('mcp_import', { text: seen.of, consents }))
    if (answer.ok) onDone()
  }
  return (
    <Panel className="mb-8 p-4">
      <h2 className="mb-1 font-semibold text-lg">{bring.title}</h2>
      <p className="mb-3 text-soft">{bring.lead}</p>
      <Form form={form} onSubmit={look} className="space-y-3">
        <TextField
          field="text"
          label={bring.text}
          rows={6}
          mono
          value={text}
          onChange={(value) => {
            setText(value)
            setSeen(null)
          }}
        />
        <FormActions>
          <PrimaryButton type="submit" disabled={form.isBusy || text.trim().length < 2}>
            {bring.look}
          </PrimaryButton>
          <label className="text-sm text-soft">
            {bring.file} <input type="file" accept=".json,.jsonc,.toml,application/json" onChange={read} className="max-w-full text-sm" />
          </label>
        </FormActions>
      </Form>
      {seen && (
        <div className="mt-5 space-y-4">
          {seen.preview.problems.length > 0 && (
            <div>
              <h3 className="font-medium text-warn">{bring.problems}</h3>
              <ul className="list-disc pl-5 text-sm">
                {seen.preview.problems.map(({ name, message }) => (
                  <li key={name} className="break-words">
                    <bdi className="font-mono">{visibleName(name)}</bdi>: {visibleText(message)}
                  </li>
                ))}
              </ul>
            </div>
          )}
          {seen.preview.servers.length === 0 && <p className="text-faint">{bring.none}</p>}
          {seen.preview.servers.map((preview) => (
            <div key={preview.server.server_id} className="rounded-lg border border-line p-3">
              <label className="mb-2 flex items-baseline gap-2 font-medium">
                <input
                  type="checkbox"
                  checked={chosen.has(preview.server.server_id)}
                  onChange={() => toggle(preview.server.server_id)}
                  className="accent-(--cloud)"
                />
                <bdi className="min-w-0 break-words">{bring.yes(visibleName(preview.server.name))}</bdi>
              </label>
              <ServerCommandPreview preview={preview} />
              <ImportNotes notes={seen.preview.notes.filter(({ name }) => name === preview.server.server_id)} />
            </div>
          ))}
          {seen.preview.servers.length > 0 && (
            <div className="flex flex-wrap items-center gap-3">
              <PrimaryButton onClick={take} disabled={chosen.size === 0}>
                {bring.take(chosen.size)}
              </PrimaryButton>
              {chosen.size === 0 && <span className="text-faint text-sm">{bring.choose}</span>}
            </div>
          )}
        </div>
      )}
    </Panel>
  )
}

function ImportNotes({ notes }: { notes: CommandResult<'mcp_import_preview'>['notes'] }) {
  if (notes.length === 0) return null
  return (
    <div className="mt-2">
      <h3 className="font-medium text-sm">{bring.notes}</h3>
      <ul className="list-disc pl-5 text-sm text-soft">
        {notes.map(({ message }) => (
          <li key={message} className="break-words">
            {visibleText(message)}
          </li>
        ))}
      </ul>
    </div>
  )
}
