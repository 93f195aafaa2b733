import type { ListedMcpServer, ListedMcpTool } from '@tandem/contract/command'
import { followLink } from '../address.ts'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useNewestEventNumber, useRequest } from '../client/use-request.ts'
import type { CallResult } from '../connection/channel.ts'
import { Badge } from '../part/badge.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { mcpBadge } from '../part/state-tones.ts'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'

interface Offer {
  readonly listed: ListedMcpServer
  readonly tools: readonly ListedMcpTool[]
}

/** Which servers' tools an agent has; its policies define what it may do with each tool. */
export function AgentMcp() {
  const client = useRuntimeClient()
  const changed = useNewestEventNumber(/^mcp_/)
  const offers = useRequest(
    'offers',
    async (): Promise<CallResult<readonly Offer[]>> => {
      const servers = await readAll(client.channel, 'mcp_server_list', {})
      if (!servers.ok) return servers
      const all: Offer[] = []
      for (const listed of servers.value.items) {
        const tools = await readAll(client.channel, 'mcp_tool_list', { server_id: listed.preview.server.server_id })
        if (!tools.ok) return tools
        all.push({ listed, tools: tools.value.items })
      }
      return { ok: true, value: all }
    },
    { version: changed },
  )
  const { ofAgent } = mcpWords
  const manage = (
    <a href="/mcp" onClick={followLink} className="text-cloud text-sm underline underline-offset-4">
      {ofAgent.manage}
    </a>
  )
  return (
    <Section title={ofAgent.title} lead={ofAgent.lead} aside={manage}>
      <RequestResult reading={offers}>
        {(all) =>
          all.length === 0 ? (
            <p className="text-faint">{ofAgent.none}</p>
          ) : (
            <Panel>
              <ul className="divide-y divide-line">
                {all.map((offer) => (
                  <OfferLine key={offer.listed.preview.server.server_id} offer={offer} />
                ))}
              </ul>
            </Panel>
          )
        }
      </RequestResult>
    </Section>
  )
}

function OfferLine({ offer: { listed, tools } }: { offer: Offer }) {
  const { server } = listed.preview
  const shown = tools.filter(({ withheld }) => !withheld)
  const { tone, text } = mcpBadge(listed.status)
  return (
    <li className="px-4 py-2.5">
      <span className="flex flex-wrap items-baseline gap-2">
        <a
          href={`/mcp/${encodeURIComponent(server.server_id)}`}
          onClick={followLink}
          className="min-w-0 break-words text-cloud underline underline-offset-4"
        >
          {visibleName(server.name)}
        </a>
        {listed.consent_problem ? <Badge tone="warn">{mcpWords.waitsForYes}</Badge> : <Badge tone={tone}>{text}</Badge>}
        {shown.length < tools.length && <Badge tone="bad">{mcpWords.ofAgent.withheld(tools.length - shown.length)}</Badge>}
      </span>
      <span translate="no" className="mt-1 block break-words font-mono text-[13px] text-soft">
        {shown.map(({ tool }) => visibleName(tool.remote_name)).join(', ')}
      </span>
    </li>
  )
}
