import type { Suspicion } from '@tandem/contract/command'
import { mcpWords } from '../strings/mcp.ts'
import { visibleText } from '../text/visible.ts'
import { Badge } from './badge.tsx'

/** What is suspicious about an untrusted text, with the text itself. */
export function SuspiciousText({ suspicions }: { suspicions: readonly Suspicion[] }) {
  if (suspicions.length === 0) return null
  return (
    <div className="rounded-md border border-line bg-warn-soft px-3 py-2">
      <p className="font-medium text-warn">{mcpWords.toolList.suspicions}</p>
      <ul className="space-y-1.5">
        {suspicions.map(({ code, title, grave, where, excerpt }) => (
          <li key={`${code} ${where} ${excerpt}`} className="text-sm">
            {visibleText(title)} {grave && <Badge tone="bad">{mcpWords.toolList.grave}</Badge>}{' '}
            <code className="break-all text-soft">{visibleText(where)}</code>
            <q className="block break-words font-mono text-[13px] text-soft">{visibleText(excerpt)}</q>
          </li>
        ))}
      </ul>
    </div>
  )
}
