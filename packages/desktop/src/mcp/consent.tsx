import type { ListedMcpServer } from '@tandem/contract/command'
import { useState } from 'react'
import { folderServersAddress, followLink } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleSentence } from '../text/sentence.ts'
import { splitLines } from '../text/split-lines.ts'
import { ServerCommandPreview } from './server-preview.tsx'

/** Consent names the hash of what is shown; if the definition has changed since, the runtime refuses it. */
export function Consent({ listed: { preview, consent_problem, folder }, again }: { listed: ListedMcpServer; again(): void }) {
  const client = useRuntimeClient()
  const [hosts, setHosts] = useState('')
  const { server_id } = preview.server
  const form = useForm({ doing: mcpWords.doing.consent })
  const say = async () => {
    const { definition_sha256 } = preview
    const params = { server_id, definition_sha256, network_hosts: splitLines(hosts) }
    const answer = await form.send(() => client.channel.call('mcp_server_consent', params))
    // A definition that has changed is read again; a wrong host can be corrected.
    if (answer.ok || !answer.error.fields) again()
  }
  const revoke = async () => {
    await client.call(mcpWords.doing.revoke, 'mcp_server_revoke', { server_id })
    again()
  }
  return (
    <Panel className="mb-8 p-4">
      <ServerCommandPreview preview={preview} />
      {consent_problem && folder !== null && consent_problem.reason_code === 'definition_changed' ? (
        <p className="mt-4 flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="break-words font-medium">{visibleSentence(consent_problem.details.message)}</span>
          <a href={folderServersAddress(folder)} onClick={followLink} className="text-cloud underline underline-offset-4">
            {mcpWords.folders.reviewAgain}
          </a>
        </p>
      ) : consent_problem ? (
        <Form form={form} onSubmit={say} className="mt-4 space-y-3">
          <p className="break-words font-medium">{visibleSentence(consent_problem.details.message)}</p>
          <p className="text-soft text-sm">{mcpWords.consent.lead}</p>
          {preview.server.transport === 'stdio' && (
            <TextField
              label={mcpWords.consent.hosts}
              field="network_hosts"
              hint={mcpWords.consent.hostsHint}
              rows={2}
              value={hosts}
              onChange={setHosts}
              mono
            />
          )}
          <FormActions>
            <PrimaryButton type="submit">{mcpWords.consent.yes}</PrimaryButton>
          </FormActions>
        </Form>
      ) : (
        <p className="mt-3 flex flex-wrap items-center justify-between gap-3 text-sm">
          <span className="text-good">{mcpWords.consent.given}</span>
          <Button onClick={revoke}>{mcpWords.consent.revoke}</Button>
        </p>
      )}
    </Panel>
  )
}
