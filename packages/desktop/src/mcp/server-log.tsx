import type { McpServerState } from '@tandem/contract/mcp'
import { useAsked } from '../desk/use-asked.ts'
import { useDesk } from '../desk/use-desk.ts'
import { Button } from '../part/button.tsx'
import { Section } from '../part/section.tsx'
import { Trouble, Waiting } from '../part/trouble.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { timeOf } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

export function ServerLog({ server_id, state }: { server_id: string; state: McpServerState }) {
  const desk = useDesk()
  const { asked, again } = useAsked(`${server_id}:${state}`, () => desk.channel.call('mcp_server_read_log', { server_id }))
  return (
    <Section title={mcpWords.log.title} lead={mcpWords.log.lead} aside={<Button onClick={again}>{mcpWords.log.again}</Button>}>
      {asked.state === 'loading' && <Waiting />}
      {asked.state === 'failed' && <Trouble error={asked.error} again={again} />}
      {asked.state === 'ready' && asked.value.lines.length === 0 && <p className="text-faint">{mcpWords.log.none}</p>}
      {asked.state === 'ready' && asked.value.lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
        <pre dir="ltr" tabIndex={0} className="output-box max-h-96 whitespace-pre-wrap break-all">
          {asked.value.dropped_lines > 0 && `${mcpWords.log.dropped(asked.value.dropped_lines)}\n`}
          {asked.value.lines.map(({ ts, source, text }) => `${timeOf(ts)} ${source} ${visibleText(text)}`).join('\n')}
        </pre>
      )}
    </Section>
  )
}
