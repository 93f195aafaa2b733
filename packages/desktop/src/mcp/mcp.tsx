// The MCP servers of this device, the state of each, and what needs the user's attention.
import type { ListedMcpServer } from '@tandem/contract/command'
import { needsSignIn } from '@tandem/contract/mcp'
import { useState } from 'react'
import { followLink } from '../address.ts'
import { useCompleteList, useNewestEventNumber } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { GonePage } from '../part/gone-page.tsx'
import { LoadError, LoadingPlaceholder } from '../part/load-error.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { Panel } from '../part/section.tsx'
import { mcpBadge } from '../part/state-tones.ts'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { AddServer } from './add-server.tsx'
import { FolderServers } from './folder-servers.tsx'
import { ImportServers } from './import-servers.tsx'
import { ServerPage } from './server-page.tsx'

/** Heartbeats have no event. */
const lookEvery_ms = 10_000

export default function Mcp({ server_id }: { server_id?: string }) {
  const { state: asked, reload: again } = useCompleteList(
    'mcp_server_list',
    {},
    { version: useNewestEventNumber(/^mcp_/), every_ms: lookEvery_ms },
  )
  if (asked.state === 'loading') return <LoadingPlaceholder />
  if (asked.state === 'failed') {
    return (
      <PageLayout title={mcpWords.title} lead={mcpWords.lead}>
        <LoadError error={asked.error} again={again} />
      </PageLayout>
    )
  }
  if (server_id === undefined) return <ServerList servers={asked.value} again={again} />
  const listed = asked.value.find(({ preview }) => preview.server.server_id === server_id)
  if (listed) return <ServerPage key={server_id} listed={listed} again={again} />
  return <GonePage title={mcpWords.goneTitle} text={mcpWords.gone(visibleName(server_id))} back={{ href: '/mcp', label: mcpWords.back }} />
}

function ServerList({ servers, again }: { servers: readonly ListedMcpServer[]; again(): void }) {
  const [doing, setDoing] = useState<'nothing' | 'adding' | 'importing'>('nothing')
  const done = () => {
    setDoing('nothing')
    again()
  }
  return (
    <PageLayout
      title={mcpWords.title}
      lead={mcpWords.lead}
      aside={
        <span className="flex gap-2">
          <Button aria-expanded={doing === 'adding'} onClick={() => setDoing(doing === 'adding' ? 'nothing' : 'adding')}>
            {mcpWords.add}
          </Button>
          <Button aria-expanded={doing === 'importing'} onClick={() => setDoing(doing === 'importing' ? 'nothing' : 'importing')}>
            {mcpWords.import}
          </Button>
        </span>
      }
    >
      {doing === 'adding' && <AddServer onDone={done} />}
      {doing === 'importing' && <ImportServers onDone={done} />}
      {servers.length === 0 && doing === 'nothing' && <EmptyState>{mcpWords.none}</EmptyState>}
      <ul className="grid gap-3 lg:grid-cols-2">
        {servers.map((listed) => (
          <li key={listed.preview.server.server_id} className="min-w-0">
            <ServerCard listed={listed} />
          </li>
        ))}
      </ul>
      <div className="mt-10">
        <FolderServers onChange={again} />
      </div>
    </PageLayout>
  )
}

function ServerCard({ listed: { preview, status, consent_problem, tool_tokens, folder } }: { listed: ListedMcpServer }) {
  const { server, runs } = preview
  const { tone, text } = mcpBadge(status)
  const address = `/mcp/${encodeURIComponent(server.server_id)}`
  return (
    <Panel className="h-full hover:border-line-strong">
      <a href={address} onClick={followLink} className="block rounded-xl p-4">
        <p className="flex items-baseline gap-2">
          <bdi className="min-w-0 flex-1 break-words font-medium">{visibleName(server.name)}</bdi>
          {consent_problem ? <Badge tone="warn">{mcpWords.waitsForYes}</Badge> : <Badge tone={tone}>{text}</Badge>}
        </p>
        <p title={visibleText(runs)} className="mt-0.5 truncate font-mono text-[13px] text-soft">
          {visibleText(runs)}
        </p>
        <p className="mt-1.5 text-faint text-sm">
          {server.enabled ? '' : `${mcpWords.off} · `}
          {mcpWords.tools(status.tool_count)}
          {tool_tokens > 0 && `, ${mcpWords.tokens(tool_tokens)}`} ·{' '}
          {status.heartbeat_at === null ? mcpWords.noHeartbeat : mcpWords.heartbeat(formatTime(status.heartbeat_at))}
        </p>
        {folder !== null && <p className="mt-1 break-words text-faint text-sm">{mcpWords.onlyIn(visibleText(folder))}</p>}
        {status.failure_contract && !consent_problem && (
          <p className={`mt-1 break-words text-sm ${needsSignIn(status) ? 'text-warn' : 'text-bad'}`}>
            {visibleSentence(status.failure_contract.details.message)}
          </p>
        )}
      </a>
      {needsSignIn(status) && !consent_problem && (
        <p className="px-4 pb-4">
          <a href={address} onClick={followLink} aria-label={mcpWords.signIn.to(visibleName(server.name))} className="link-button">
            {mcpWords.signIn.begin}
          </a>
        </p>
      )}
    </Panel>
  )
}
