// The servers that folders bring in a .mcp.json: a folder is chosen here, or named by the address of the page.
import type { McpFolder } from '@tandem/contract/command'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useAnchor } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleText } from '../text/visible.ts'
import { ReviewedFolder } from './reviewed-folder.tsx'

const told = mcpWords.folders
/** Of the latest conversations. */
const mostFolders = 5

export function FolderServers({ onChange }: { onChange(): void }) {
  const client = useRuntimeClient()
  const { state: recent } = useCommand('conversation_list', { limit: 50 })
  const named = useAnchor()
  const [path, setPath] = useState('')
  const [folder, setFolder] = useState<McpFolder | null>(null)
  const review = useRef<HTMLDivElement>(null)
  const form = useForm()
  const { send } = form
  const look = useCallback(
    async (workspace: string) => {
      setPath(workspace)
      const answer = await send(() => client.channel.call('mcp_folder_get', { workspace }))
      setFolder(answer.ok ? answer.value.folder : null)
    },
    [client, send],
  )
  useEffect(() => {
    if (named === '') return
    void look(named).then(() => review.current?.scrollIntoView({ block: 'start' }))
  }, [named, look])
  const folders = recent.state === 'ready' ? [...new Set(recent.value.items.map(({ workspace }) => workspace))].slice(0, mostFolders) : []
  return (
    <Section title={told.title} lead={told.lead}>
      <Panel className="p-4">
        <Form form={form} onSubmit={() => look(path.trim())} className="space-y-3">
          <TextField label={told.folder} field="workspace" mono value={path} onChange={setPath} />
          <FormActions>
            <Button type="submit" disabled={form.isBusy || path.trim() === ''}>
              {told.look}
            </Button>
          </FormActions>
          {folders.length > 0 && (
            <div className="flex flex-wrap items-baseline gap-2">
              <span className="text-faint text-sm">{told.recent}</span>
              {folders.map((one) => (
                <Button key={one} onClick={() => look(one)} title={visibleText(one)} className="max-w-full truncate font-mono text-[13px]">
                  {visibleText(one)}
                </Button>
              ))}
            </div>
          )}
        </Form>
        <div ref={review} className="mt-4 scroll-mt-4 empty:hidden">
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
        </div>
      </Panel>
    </Section>
  )
}
