import type { McpServerState } from '@tandem/contract/mcp'
import { useCommand } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

export function ServerLog({ server_id, state }: { server_id: string; state: McpServerState }) {
  const log = useCommand('mcp_server_read_log', { server_id }, { version: state })
  return (
    <Section title={mcpWords.log.title} lead={mcpWords.log.lead} aside={<Button onClick={log.reload}>{mcpWords.log.again}</Button>}>
      <RequestResult reading={log}>
        {({ lines, dropped_lines }) =>
          lines.length === 0 ? (
            <p className="text-faint">{mcpWords.log.none}</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
            <pre dir="ltr" tabIndex={0} className="output-box max-h-96 whitespace-pre-wrap break-all">
              {dropped_lines > 0 && `${mcpWords.log.dropped(dropped_lines)}\n`}
              {lines.map(({ ts, source, text }) => `${formatTime(ts)} ${source} ${visibleText(text)}`).join('\n')}
            </pre>
          )
        }
      </RequestResult>
    </Section>
  )
}
