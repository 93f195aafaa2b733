import { useState } from 'react'
import { useCompleteList } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { OfferList } from './offer-list.tsx'
import { ServerContents, useServerContent } from './server-content.tsx'
import { type OfferedResource, resourceOf } from './server-offers.ts'

const told = mcpWords.resources

/** The resources of a server. */
export function ServerResources({ server_id }: { server_id: string }) {
  const resources = useCompleteList('mcp_resource_list', { server_id })
  return (
    <OfferList
      words={told}
      reading={resources}
      keyOf={({ kind, uri }) => `${kind} ${uri}`}
      line={(item) => <Line resource={resourceOf(item)} />}
      details={(item) => <Details server_id={server_id} resource={resourceOf(item)} />}
    />
  )
}

function Line({ resource: { kind, uri, name } }: { resource: OfferedResource }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <code className="break-all">{visibleName(uri)}</code>
      {name !== '' && <bdi className="min-w-0 break-words text-soft">{visibleName(name)}</bdi>}
      {kind === 'template' && <Badge>{told.template}</Badge>}
    </span>
  )
}

function Details({ server_id, resource }: { server_id: string; resource: OfferedResource }) {
  const [uri, setUri] = useState(resource.uri)
  const read = useServerContent(mcpWords.doing.resource, 'mcp_resource_read', { server_id, uri })
  return (
    <Form form={read.form} onSubmit={read.fetch} className="space-y-3">
      {resource.description !== '' && (
        <p dir="auto" className="whitespace-pre-wrap break-words">
          {visibleText(resource.description)}
        </p>
      )}
      {resource.media_type !== '' && <p className="text-faint text-sm">{visibleName(resource.media_type)}</p>}
      {resource.kind === 'template' && <TextField label={told.address} field="uri" value={uri} onChange={setUri} mono />}
      <FormActions>
        <Button type="submit" disabled={read.form.isBusy || uri === ''}>
          {told.read}
        </Button>
      </FormActions>
      <ServerContents pieces={read.pieces} />
    </Form>
  )
}
