// The report, from the rows of one statement.
import type { UsageNumbers, UsageReport } from '@tandem/contract/llm'
import type { UsageRow } from './store.ts'

export type UsageLists = Pick<UsageReport, 'totals' | 'by_day' | 'by_model' | 'by_device'>

export function usageLists(rows: readonly UsageRow[]): UsageLists {
  const [all] = rows.filter(({ by }) => by === 'all')
  return {
    totals: all ? numbersOf(all) : { requests: 0, failed_requests: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
    by_day: rows.flatMap((row) => (row.by === 'day' && row.day !== null ? [{ day: row.day, ...numbersOf(row) }] : [])),
    by_model: rows.flatMap((row) => (row.by === 'model' && row.model !== null ? [{ model: row.model, ...numbersOf(row) }] : [])),
    by_device: rows.flatMap((row) =>
      row.by === 'device' ? [{ ...(row.device_id === null ? {} : { device_id: row.device_id }), ...numbersOf(row) }] : [],
    ),
  }
}

function numbersOf({ requests, failed_requests, input_tokens, cached_input_tokens, output_tokens }: UsageRow): UsageNumbers {
  return { requests, failed_requests, input_tokens, cached_input_tokens, output_tokens }
}
