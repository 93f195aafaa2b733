// One server: its state, what it runs and the consent to it, its secrets, its tools, its other offers, and its log.
import type { CommandName, ListedMcpServer } from '@tandem/contract/command'
import { needsSignIn } from '@tandem/contract/mcp'
import { useState } from 'react'
import { followLink, goTo } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { Panel, Section } from '../part/section.tsx'
import { mcpBadge } from '../part/state-tones.ts'
import { Failure } from '../result/failure.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { Consent } from './consent.tsx'
import { Secrets } from './secrets.tsx'
import { ServerAgents } from './server-agents.tsx'
import { ServerLog } from './server-log.tsx'
import { ServerPrompts } from './server-prompts.tsx'
import { ServerResources } from './server-resources.tsx'
import { ServerSampling } from './server-sampling.tsx'
import { ServerTools } from './server-tools.tsx'
import { SignIn } from './sign-in.tsx'

export function ServerPage({ listed, again }: { listed: ListedMcpServer; again(): void }) {
  const { preview, status, consent_problem } = listed
  const { server } = preview
  return (
    <PageLayout
      title={visibleName(server.name)}
      lead={server.server_id === server.name.toLowerCase() ? '' : server.server_id}
      aside={<Actions listed={listed} again={again} />}
    >
      <p className="mb-4 text-sm">
        <a href="/mcp" onClick={followLink} className="text-cloud underline underline-offset-4">
          {mcpWords.back}
        </a>
      </p>
      <Consent key={preview.definition_sha256} listed={listed} again={again} />
      <SignIn listed={listed} again={again} />
      <Facts listed={listed} />
      {status.failure_contract && !consent_problem && !needsSignIn(status) && (
        <div className="mb-8">
          <Failure contract={status.failure_contract} />
        </div>
      )}
      {listed.folder === null && <ServerAgents server={server} again={again} />}
      {!consent_problem && <ServerSampling listed={listed} again={again} />}
      {preview.secret_names.length > 0 && <Secrets server={server} again={again} />}
      <ServerTools server_id={server.server_id} state={status.state} />
      {status.state === 'connected' && (
        <>
          <ServerResources server_id={server.server_id} />
          <ServerPrompts server_id={server.server_id} />
        </>
      )}
      <ServerLog server_id={server.server_id} state={status.state} />
    </PageLayout>
  )
}

type Action = Extract<CommandName, 'mcp_server_test' | 'mcp_server_connect' | 'mcp_server_disconnect'>

function Actions({ listed: { preview, status, consent_problem }, again }: { listed: ListedMcpServer; again(): void }) {
  const client = useRuntimeClient()
  const [doing, setDoing] = useState<Action | null>(null)
  const [said, setSaid] = useState('')
  const [isSure, setSure] = useState(false)
  const { server_id, enabled } = preview.server
  const isUp = status.state === 'connected' || status.state === 'degraded' || status.state === 'testing'
  const act = async (name: Action, what: string) => {
    setDoing(name)
    setSaid('')
    const answer = await client.call(what, name, { server_id })
    setDoing(null)
    if (answer.ok && name === 'mcp_server_test') setSaid(mcpWords.answered(mcpBadge(answer.value.status).text))
    again()
  }
  const remove = async () => {
    const answer = await client.call(mcpWords.doing.remove, 'mcp_server_remove', { server_id })
    if (answer.ok) {
      again()
      goTo('/mcp')
    }
  }
  const isHeld = doing !== null || consent_problem !== null || !enabled
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={isHeld} onClick={() => act('mcp_server_test', mcpWords.doing.test)}>
        {doing === 'mcp_server_test' ? mcpWords.testing : mcpWords.test}
      </Button>
      {isUp ? (
        <Button disabled={doing !== null} onClick={() => act('mcp_server_disconnect', mcpWords.doing.disconnect)}>
          {mcpWords.disconnect}
        </Button>
      ) : (
        <Button disabled={isHeld} onClick={() => act('mcp_server_connect', mcpWords.doing.connect)}>
          {doing === 'mcp_server_connect' ? mcpWords.connecting : mcpWords.connect}
        </Button>
      )}
      {isSure ? (
        <>
          <Button className="text-bad" onClick={remove}>
            {mcpWords.removeSure}
          </Button>
          <Button onClick={() => setSure(false)}>{words.cancel}</Button>
        </>
      ) : (
        <Button onClick={() => setSure(true)}>{mcpWords.remove}</Button>
      )}
      <span role="status" className="text-faint text-sm empty:hidden">
        {said}
      </span>
    </div>
  )
}

function Facts({ listed: { preview, status, tool_tokens, folder } }: { listed: ListedMcpServer }) {
  const { facts } = mcpWords
  const { tone, text } = mcpBadge(status)
  const { heartbeat_at, next_reconnect_at, server_name, server_version, protocol_version } = status
  const rows: readonly (readonly [string, string])[] = [
    [facts.heartbeat, heartbeat_at === null ? facts.never : formatTime(heartbeat_at)],
    [facts.server, server_name === null ? facts.unknown : `${visibleName(server_name)} ${visibleName(server_version ?? '')}`],
    [facts.protocol, protocol_version === null ? facts.unknown : visibleName(protocol_version)],
    [facts.tools, String(status.tool_count)],
    ...(tool_tokens > 0 ? [[facts.tokens, mcpWords.tokens(tool_tokens)] as const] : []),
    ...(folder === null ? [] : [[facts.folder, folder] as const]),
    ...(preview.server.timeout_seconds === undefined ? [] : [[facts.timeout, facts.seconds(preview.server.timeout_seconds)] as const]),
    [facts.approval, words.agents.approvalModes[preview.server.default_approval_mode]],
    ...(status.missed_pings > 0 ? [[facts.missed, String(status.missed_pings)] as const] : []),
    ...(status.reconnect_attempts > 0 ? [[facts.attempts, String(status.reconnect_attempts)] as const] : []),
    ...(next_reconnect_at === null ? [] : [[facts.next, formatTime(next_reconnect_at)] as const]),
  ]
  return (
    <Section title={facts.title}>
      <Panel className="p-4">
        <dl className="grid grid-cols-[fit-content(50%)_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm">
          <dt className="text-faint">{facts.state}</dt>
          <dd>
            <Badge tone={tone}>{text}</Badge> <span className="text-faint">{facts.since(formatTime(status.state_ts))}</span>
          </dd>
          {rows.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-faint">{name}</dt>
              <dd className="break-words">{visibleText(value)}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </Section>
  )
}
