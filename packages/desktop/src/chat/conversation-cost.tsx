// The tokens and the cost of a conversation, at the end of its header.
import { useWindowState } from '../client/use-client.ts'
import { costOfReport, useUsage } from '../part/cost.tsx'
import { modelWords } from '../strings/models.ts'

export function ConversationCost({ conversation_id }: { conversation_id: string }) {
  /** Of all runs: those of members are counted, too. */
  const tokens = useWindowState(({ runs }) => {
    let sum = 0
    for (const { usage } of runs.values()) sum += usage.input_tokens + usage.output_tokens
    return sum
  })
  const report = useUsage({ conversation_id }, tokens)
  const used = report === null ? 0 : report.total.usage.input_tokens + report.total.usage.output_tokens
  if (used === 0) return null
  const cost = costOfReport(report)
  return (
    <span data-cost className="shrink-0 font-normal text-faint text-xs tabular-nums">
      {modelWords.tokens(used)}
      {cost === '' ? '' : ` · ${cost}`}
    </span>
  )
}
