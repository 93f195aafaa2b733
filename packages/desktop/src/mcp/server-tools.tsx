import type { ListedMcpTool } from '@tandem/contract/command'
import type { McpServerState } from '@tandem/contract/mcp'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCompleteList } from '../client/use-request.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { SuspiciousText } from '../part/suspicious-text.tsx'
import { JsonTree } from '../result/json-tree.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { OfferList } from './offer-list.tsx'

const tones: Record<ListedMcpTool['standing'], Tone> = { approved: 'good', unapproved: 'plain', changed: 'warn' }

export function ServerTools({ server_id, state }: { server_id: string; state: McpServerState }) {
  const client = useRuntimeClient()
  const [isAsking, setAsking] = useState(false)
  const tools = useCompleteList('mcp_tool_list', { server_id }, { version: state })
  const refresh = async () => {
    setAsking(true)
    await client.call(mcpWords.doing.refresh, 'mcp_tool_list', { server_id, refresh: true, limit: 1 })
    setAsking(false)
    await tools.reload()
  }
  const { toolList } = mcpWords
  return (
    <OfferList
      words={toolList}
      reading={tools}
      refresh={
        <Button onClick={refresh} disabled={isAsking || state !== 'connected'}>
          {toolList.refresh}
        </Button>
      }
      keyOf={({ tool }) => tool.tool}
      line={(listed) => <Line listed={listed} />}
      details={(listed) => <Details listed={listed} again={tools.reload} />}
    />
  )
}

function Line({ listed: { tool, standing, withheld, left_out, suspicions } }: { listed: ListedMcpTool }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <code className="break-all">{visibleName(tool.remote_name)}</code>
      {tool.title !== null && <bdi className="min-w-0 break-words text-soft">{visibleName(tool.title)}</bdi>}
      <Badge tone={tones[standing]}>{mcpWords.toolList.standings[standing]}</Badge>
      {left_out && <Badge tone="plain">{mcpWords.toolList.leftOut}</Badge>}
      {withheld && <Badge tone="bad">{mcpWords.toolList.withheld}</Badge>}
      {suspicions.length > 0 && !withheld && <Badge tone="warn">{mcpWords.toolList.suspicions}</Badge>}
    </span>
  )
}

function Details({ listed: { tool, standing, withheld, suspicions }, again }: { listed: ListedMcpTool; again(): Promise<void> }) {
  const client = useRuntimeClient()
  const { toolList } = mcpWords
  const approve = async () => {
    await client.call(mcpWords.doing.tool, 'mcp_tool_consent', { tool: tool.tool, fingerprint: tool.fingerprint })
    await again()
  }
  return (
    <div className="space-y-3">
      {withheld && <p className="text-bad">{toolList.withheldLead}</p>}
      <SuspiciousText suspicions={suspicions} />
      <div>
        <p className="text-faint text-sm">{toolList.description}</p>
        <p dir="auto" className="whitespace-pre-wrap break-words">
          {visibleText(tool.description) || toolList.noDescription}
        </p>
      </div>
      <Schema title={toolList.input} text={tool.input_schema} />
      {tool.output_schema !== null && <Schema title={toolList.output} text={tool.output_schema} />}
      <p className="text-faint text-sm">
        <code className="break-all">{tool.tool}</code> · {toolList.refreshed(formatTime(tool.refreshed_at))} · {toolList.fingerprint}{' '}
        <code>{tool.fingerprint.slice(0, 16)}</code>
      </p>
      {standing !== 'approved' && <PrimaryButton onClick={approve}>{toolList.approve}</PrimaryButton>}
    </div>
  )
}

function Schema({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className="text-faint text-sm">{title}</p>
      <JsonTree value={JSON.parse(text)} />
    </div>
  )
}
