// What this device used: each run once, with the tokens of its retries, summaries and samples; and in a month also what worked in the
// background, and conversations that were erased.
import { costOf, type UsageReport, type UsageRow } from '@tandem/contract/model'
import { addUsage, emptyUsage } from '../journal/run-record.ts'
import type { Store } from '../store/store.ts'
import { billingOf } from './billing.ts'
import type { ModelRecords } from './model-records.ts'

export interface UsageReader {
  /** With the runs that it started. */
  ofRun(run_id: string): UsageReport
  /** With the runs that its runs started. */
  ofConversation(conversation_id: string): UsageReport
  /** `YYYY-MM` in UTC. A run belongs to the month in which it started. */
  ofMonth(month: string): UsageReport
  /** Newest first. */
  months(): readonly string[]
}

interface SumRow {
  readonly model: string
  readonly address: string | null
  readonly runs: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cached_tokens: number
  readonly estimated: number
}

const mostMonths = 36

export function openUsage({ sql, device_id }: Pick<Store, 'sql' | 'device_id'>, records: ModelRecords): UsageReader {
  function report(month: string | null, sums: readonly SumRow[]): UsageReport {
    const rows = sums.map(rowOf).sort((left, right) => (right.cost?.dollars ?? 0) - (left.cost?.dollars ?? 0))
    return {
      month,
      rows,
      total: {
        runs: rows.reduce((sum, { runs }) => sum + runs, 0),
        usage: rows.reduce((sum, { usage }) => addUsage(sum, usage), emptyUsage),
      },
    }
  }

  function rowOf({ model, address, runs, estimated, ...tokens }: SumRow): UsageRow {
    const usage = { ...tokens, estimated: estimated === 1 }
    const entered = address === null ? null : records.price(address, model)
    const listed = address === null ? null : (records.list(address)?.models.find(({ id }) => id === model)?.price ?? null)
    const billing = billingOf({ address, model, entered, listed })
    return { model, address, runs, usage, ...billing, cost: billing.price === null ? null : costOf(usage, billing.price) }
  }

  /** Sums by model and address. Runs of other devices, and those without tokens, do not count. */
  const sumOf = (runs: string, more: readonly SumRow[] = []) => {
    const own = sql.all<SumRow>`
      SELECT r.model, a.address, count(*) AS runs, sum(r.input_tokens) AS input_tokens, sum(r.output_tokens) AS output_tokens,
        sum(r.cached_tokens) AS cached_tokens, max(r.estimated) AS estimated
      FROM runs r LEFT JOIN run_addresses a ON a.run_id = r.run_id
      WHERE r.run_id IN (SELECT value FROM json_each(${runs})) AND r.device_id = ${device_id} AND r.input_tokens + r.output_tokens > 0
      GROUP BY r.model, a.address ORDER BY input_tokens DESC, r.model`
    return more.reduce(withRow, own)
  }

  /** With the runs that they started. */
  function ofRuns(run_ids: readonly string[]): UsageReport {
    const team = sql.all<{ run_id: string }>`
      WITH RECURSIVE team (run_id) AS (
        SELECT value FROM json_each(${JSON.stringify(run_ids)})
        UNION SELECT m.run_id FROM team_members m JOIN team t ON m.parent_run_id = t.run_id
      ) SELECT run_id FROM team`
    return report(null, sumOf(idsOf(team)))
  }

  return {
    ofRun: (run_id) => ofRuns([run_id]),
    ofConversation: (conversation_id) =>
      ofRuns(
        sql.all<{ run_id: string }>`
          SELECT r.run_id FROM runs r JOIN conversations c ON c.no = r.conversation WHERE c.conversation_id = ${conversation_id}`.map(
          ({ run_id }) => run_id,
        ),
      ),
    ofMonth(month) {
      const [from, until] = monthRange(month)
      const runs = sql.all<{ run_id: string }>`SELECT run_id FROM runs WHERE started_at >= ${from} AND started_at < ${until}`
      const beside = sql.all<SumRow>`
        SELECT model, nullif(address, '') AS address, sum(runs) AS runs, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
          sum(cached_tokens) AS cached_tokens, max(estimated) AS estimated
        FROM usage_by_month WHERE month = ${month} GROUP BY 1, 2`
      return report(month, sumOf(idsOf(runs), beside))
    },
    months: () =>
      sql.all`
        SELECT strftime('%Y-%m', started_at / 1000, 'unixepoch') AS month FROM runs
        WHERE device_id = ${device_id} AND input_tokens + output_tokens > 0
        UNION SELECT month FROM usage_by_month ORDER BY month DESC LIMIT ${mostMonths}`.map(({ month }) => String(month)),
  }
}

const idsOf = (runs: readonly { readonly run_id: string }[]) => JSON.stringify(runs.map(({ run_id }) => run_id))

/** Tokens beside runs are shown with those of the same model at the same address. */
function withRow(rows: readonly SumRow[], more: SumRow): readonly SumRow[] {
  const at = rows.findIndex(({ model, address }) => model === more.model && address === more.address)
  const same = rows[at]
  if (!same) return [...rows, more]
  const sum = (key: 'runs' | 'input_tokens' | 'output_tokens' | 'cached_tokens') => same[key] + more[key]
  return rows.with(at, {
    ...same,
    ...{ runs: sum('runs'), input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens'), cached_tokens: sum('cached_tokens') },
    estimated: Math.max(same.estimated, more.estimated),
  })
}

export function monthRange(month: string): readonly [from: number, until: number] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return [Date.UTC(year, number - 1), Date.UTC(year, number)]
}

export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7)
}
