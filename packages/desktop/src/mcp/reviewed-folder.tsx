// The .mcp.json of one folder: shown completely, and approved by the hash of the file.
import type { McpFolder } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { splitLines } from '../text/split-lines.ts'
import { visibleText } from '../text/visible.ts'
import { ServerCommandPreview } from './server-preview.tsx'

const told = mcpWords.folders
const tones = { no_file: 'plain', new: 'warn', approved: 'good', declined: 'plain', changed: 'warn' } as const

export function ReviewedFolder({ folder, onDecided }: { folder: McpFolder; onDecided(next: McpFolder): void }) {
  const client = useRuntimeClient()
  /** What was entered as the hosts of each chosen server. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const form = useForm({ doing: mcpWords.doing.consent })
  const { state, file, file_sha256, servers, problems, notes, folder: workspace } = folder
  if (state === 'no_file') return <p className="text-faint">{told.none}</p>
  // In the order of the file: so the runtime names them in its errors.
  const order = servers.map(({ preview }) => preview.server.server_id).filter((server_id) => chosen.has(server_id))
  const choose = (server_id: string, hosts: string | null) => {
    const next = new Map(chosen)
    if (hosts === null) next.delete(server_id)
    else next.set(server_id, hosts)
    setChosen(next)
  }
  const decide = async (of: ReadonlyMap<string, string>) => {
    const consents = servers.flatMap(({ preview: { server, definition_sha256 } }) => {
      const hosts = of.get(server.server_id)
      return hosts === undefined ? [] : [{ server_id: server.server_id, definition_sha256, network_hosts: splitLines(hosts) }]
    })
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
          <bdi className="font-mono">{visibleName(name)}</bdi>: {visibleSentence(message)}
        </p>
      ))}
      {servers.length === 0 && <p className="text-faint">{told.noServers}</p>}
      <Form form={form} onSubmit={() => decide(chosen)} className="space-y-4">
        {servers.map(({ preview, approved }) => {
          const { server, secret_names } = preview
          const { server_id } = server
          const hosts = chosen.get(server_id)
          return (
            <div key={server_id} className="rounded-lg border border-line p-3">
              <label className="mb-2 flex items-baseline gap-2 font-medium">
                <input
                  type="checkbox"
                  checked={approved || hosts !== undefined}
                  disabled={state === 'approved'}
                  onChange={() => choose(server_id, hosts === undefined ? '' : null)}
                  className="accent-(--cloud)"
                />
                <bdi className="min-w-0 break-words">{told.use(visibleName(server.name))}</bdi>
              </label>
              <ServerCommandPreview preview={preview} />
              {secret_names.length > 0 && (
                <p className="mt-2 break-words text-sm text-soft">{told.receives(secret_names.map(visibleName).join(', '))}</p>
              )}
              {notes
                .filter(({ name }) => name === server_id)
                .map(({ message }) => (
                  <p key={message} className="mt-1 break-words text-sm text-soft">
                    {visibleSentence(message)}
                  </p>
                ))}
              {hosts !== undefined && server.transport === 'stdio' && (
                <div className="mt-3">
                  <TextField
                    label={mcpWords.consent.hosts}
                    hint={mcpWords.consent.hostsHint}
                    field={`consents[${order.indexOf(server_id)}].network_hosts`}
                    rows={2}
                    mono
                    value={hosts}
                    onChange={(next) => choose(server_id, next)}
                  />
                </div>
              )}
            </div>
          )
        })}
        <FormActions>
          {state === 'approved' ? (
            <Button onClick={revoke}>{told.revoke}</Button>
          ) : (
            <>
              <PrimaryButton type="submit" disabled={form.isBusy || chosen.size === 0}>
                {told.approve(chosen.size)}
              </PrimaryButton>
              {state !== 'declined' && file_sha256 !== null && (
                <Button disabled={form.isBusy} onClick={() => decide(new Map())}>
                  {told.decline}
                </Button>
              )}
            </>
          )}
        </FormActions>
      </Form>
    </div>
  )
}
