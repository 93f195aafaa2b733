import type { McpServerPreview } from '@tandem/contract/command'
import { mcpWords } from '../strings/mcp.ts'
import { visibleText } from '../text/visible.ts'

/** The complete command line that the user consents to, and its warnings. */
export function ServerCommandPreview({ preview: { server, runs, warnings } }: { preview: McpServerPreview }) {
  return (
    <div>
      <p className="mb-1 text-faint text-sm">{server.transport === 'stdio' ? mcpWords.runs : mcpWords.runsOverHttp}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <pre dir="ltr" tabIndex={0} className="output-box whitespace-pre-wrap break-all" data-runs={server.server_id}>
        {visibleText(runs)}
      </pre>
      {warnings.length > 0 && (
        <div className="mt-2 rounded-md border border-line bg-warn-soft px-3 py-2">
          <p className="font-medium text-warn">{mcpWords.consent.warnings}</p>
          <ul className="list-disc pl-5 text-sm">
            {warnings.map((warning) => (
              <li key={warning} className="break-words">
                {visibleText(warning)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
