import type { ListedMcpTool } from '@tandem/contract/command'
import type { McpServerState } from '@tandem/contract/mcp'
import { useState } from 'react'
import { readAll } from '../desk/pages.ts'
import { useAsked } from '../desk/use-asked.ts'
import { useDesk } from '../desk/use-desk.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { Button } from '../part/button.tsx'
import { Fold } from '../part/fold.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { Trouble, Waiting } from '../part/trouble.tsx'
import { JsonTree } from '../result/json-tree.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'
import { timeOf } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { Suspicions } from './suspicions.tsx'

const tones: Record<ListedMcpTool['standing'], Tone> = { approved: 'good', unapproved: 'plain', changed: 'warn' }

export function ServerTools({ server_id, state }: { server_id: string; state: McpServerState }) {
  const desk = useDesk()
  const [isAsking, setAsking] = useState(false)
  const { asked, again } = useAsked(`${server_id}:${state}`, async () => {
    const read = await readAll(desk.channel, 'mcp_tool_list', { server_id })
    return read.ok ? { ok: true as const, value: read.value.items } : read
  })
  const refresh = async () => {
    setAsking(true)
    await desk.ask(mcpWords.doing.refresh, 'mcp_tool_list', { server_id, refresh: true, limit: 1 })
    setAsking(false)
    again()
  }
  const { toolList } = mcpWords
  return (
    <Section
      title={toolList.title}
      lead={toolList.lead}
      aside={
        <Button onClick={refresh} disabled={isAsking || state !== 'connected'}>
          {toolList.refresh}
        </Button>
      }
    >
      {asked.state === 'loading' && <Waiting />}
      {asked.state === 'failed' && <Trouble error={asked.error} again={again} />}
      {asked.state === 'ready' && asked.value.length === 0 && <p className="text-faint">{toolList.none}</p>}
      {asked.state === 'ready' && asked.value.length > 0 && (
        <Panel className="overflow-hidden">
          {asked.value.map((listed) => (
            <Fold key={listed.tool.tool} summary={<Line listed={listed} />}>
              {() => <Details listed={listed} again={again} />}
            </Fold>
          ))}
        </Panel>
      )}
    </Section>
  )
}

function Line({ listed: { tool, standing, withheld, suspicions } }: { listed: ListedMcpTool }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <code className="break-all">{visibleName(tool.remote_name)}</code>
      {tool.title !== null && <bdi className="min-w-0 break-words text-soft">{visibleName(tool.title)}</bdi>}
      <Badge tone={tones[standing]}>{mcpWords.toolList.standings[standing]}</Badge>
      {withheld && <Badge tone="bad">{mcpWords.toolList.withheld}</Badge>}
      {suspicions.length > 0 && !withheld && <Badge tone="warn">{mcpWords.toolList.suspicions}</Badge>}
    </span>
  )
}

function Details({ listed: { tool, standing, withheld, suspicions }, again }: { listed: ListedMcpTool; again(): void }) {
  const desk = useDesk()
  const { toolList } = mcpWords
  const approve = async () => {
    await desk.ask(mcpWords.doing.tool, 'mcp_tool_consent', { tool: tool.tool, fingerprint: tool.fingerprint })
    again()
  }
  return (
    <div className="space-y-3">
      {withheld && <p className="text-bad">{toolList.withheldLead}</p>}
      <Suspicions suspicions={suspicions} />
      <div>
        <p className="text-faint text-sm">{toolList.description}</p>
        <p dir="auto" className="whitespace-pre-wrap break-words">
          {visibleText(tool.description) || toolList.noDescription}
        </p>
      </div>
      <Schema title={toolList.input} text={tool.input_schema} />
      {tool.output_schema !== null && <Schema title={toolList.output} text={tool.output_schema} />}
      <p className="text-faint text-sm">
        <code className="break-all">{tool.tool}</code> · {toolList.refreshed(timeOf(tool.refreshed_at))} · {toolList.fingerprint}{' '}
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
