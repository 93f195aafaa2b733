// The servers that folders bring in a .mcp.json: shown completely, and approved by the hash of the file.
import type { McpFolder } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { ServerCommandPreview } from './server-preview.tsx'

const told = mcpWords.folders
/** Of the latest conversations. */
const mostFolders = 5
const tones = { no_file: 'plain', new: 'warn', approved: 'good', changed: 'warn' } as const

export function FolderServers({ onChange }: { onChange(): void }) {
  const client = useRuntimeClient()
  const { state: recent } = useCommand('conversation_list', { limit: 50 })
  const [path, setPath] = useState('')
  const [folder, setFolder] = useState<McpFolder | null>(null)
  const form = useForm()
  const look = async (workspace: string) => {
    setPath(workspace)
    const answer = await form.send(() => client.channel.call('mcp_folder_get', { workspace }))
    setFolder(answer.ok ? answer.value.folder : null)
  }
  const folders = recent.state === 'ready' ? [...new Set(recent.value.items.map(({ workspace }) => workspace))].slice(0, mostFolders) : []
  return (
    <Section title={told.title} lead={told.lead}>
      <Panel className="space-y-4 p-4">
        <Form form={form} onSubmit={() => look(path.trim())} className="space-y-3">
          <TextField label={told.folder} field="workspace" mono value={path} onChange={setPath} />
          <FormActions>
            <Button type="submit" disabled={form.isBusy || path.trim() === ''}>
              {told.look}
            </Button>
            {folders.map((one) => (
              <Button key={one} onClick={() => look(one)} className="max-w-full truncate font-mono text-[13px]">
                {visibleText(one)}
              </Button>
            ))}
          </FormActions>
        </Form>
        {folder && (
          <ReviewedFolder
            key={`${folder.folder} ${folder.file_sha256} ${folder.state}`}
            folder={folder}
            onDecided={(next) => {
              setFolder(next)
              onChange()
            }}
          />
        )}
      </Panel>
    </Section>
  )
}

function ReviewedFolder({ folder, onDecided }: { folder: McpFolder; onDecided(next: McpFolder): void }) {
  const client = useRuntimeClient()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const form = useForm({ doing: mcpWords.doing.consent })
  const { state, file, file_sha256, servers, problems, notes, folder: workspace } = folder
  if (state === 'no_file') return <p className="text-faint">{told.none}</p>
  const toggle = (server_id: string) => {
    const next = new Set(chosen)
    if (!next.delete(server_id)) next.add(server_id)
    setChosen(next)
  }
  const approve = async () => {
    const consents = servers
      .filter(({ preview }) => chosen.has(preview.server.server_id))
      .map(({ preview: { server, definition_sha256 } }) => ({ server_id: server.server_id, definition_sha256, network_hosts: [] }))
    const answer = await form.send(() => client.channel.call('mcp_folder_consent', { workspace, file_sha256: file_sha256 ?? '', consents }))
    if (answer.ok) onDecided(answer.value.folder)
  }
  const revoke = async () => {
    const answer = await client.call(mcpWords.doing.revoke, 'mcp_folder_revoke', { workspace })
    if (answer.ok) onDecided(answer.value.folder)
  }
  return (
    <div className="space-y-4" data-mcp-folder={state}>
      <p className="flex flex-wrap items-baseline gap-2">
        <code className="min-w-0 break-all">{visibleText(file)}</code>
        <Badge tone={tones[state]}>{told.states[state]}</Badge>
      </p>
      {problems.map(({ name, message }) => (
        <p key={name} className="break-words text-sm text-warn">
          <bdi className="font-mono">{visibleName(name)}</bdi>: {visibleText(message)}
        </p>
      ))}
      <Form form={form} onSubmit={approve} className="space-y-4">
        {servers.map(({ preview, approved }) => {
          const { server, secret_names } = preview
          return (
            <div key={server.server_id} className="rounded-lg border border-line p-3">
              <label className="mb-2 flex items-baseline gap-2 font-medium">
                <input
                  type="checkbox"
                  checked={approved || chosen.has(server.server_id)}
                  disabled={state === 'approved'}
                  onChange={() => toggle(server.server_id)}
                  className="accent-(--cloud)"
                />
                <bdi className="min-w-0 break-words">{told.use(visibleName(server.name))}</bdi>
              </label>
              <ServerCommandPreview preview={preview} />
              {secret_names.length > 0 && (
                <p className="mt-2 break-words text-sm text-soft">{told.receives(secret_names.map(visibleName).join(', '))}</p>
              )}
              {notes
                .filter(({ name }) => name === server.server_id)
                .map(({ message }) => (
                  <p key={message} className="mt-1 break-words text-sm text-soft">
                    {visibleText(message)}
                  </p>
                ))}
            </div>
          )
        })}
        <FormActions>
          {state === 'approved' ? (
            <Button onClick={revoke}>{told.revoke}</Button>
          ) : (
            <PrimaryButton type="submit" disabled={chosen.size === 0}>
              {told.approve(chosen.size)}
            </PrimaryButton>
          )}
        </FormActions>
      </Form>
    </div>
  )
}
