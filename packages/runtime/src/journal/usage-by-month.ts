// Tokens that no run has: of models that work in the background, and of conversations that were erased. By month and model, without content.
import type { Usage } from '@tandem/contract/run'
import type { Store } from '../store/store.ts'

/** What the model did. `erased`: runs of conversations that were erased. */
export type UsageKind = 'memory' | 'second_opinion' | 'wording' | 'erased'

export interface MonthUsage {
  /** `YYYY-MM` in UTC. */
  readonly month: string
  readonly model: string
  readonly address: string | null
  readonly kind: UsageKind
  readonly usage: Usage
}

/** In the transaction of the caller. */
export function addMonthUsage({ sql }: Pick<Store, 'sql'>, { month, model, address, kind, usage }: MonthUsage): void {
  sql.run`
    INSERT INTO usage_by_month (month, model, address, kind, runs, input_tokens, output_tokens, cached_tokens, estimated)
    VALUES (${month}, ${model}, ${address ?? ''}, ${kind}, 0, ${usage.input_tokens}, ${usage.output_tokens}, ${usage.cached_tokens},
      ${Number(usage.estimated)})
    ON CONFLICT DO UPDATE SET input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens,
      cached_tokens = cached_tokens + excluded.cached_tokens, estimated = max(estimated, excluded.estimated)`
}

/** Before the rows of these runs are deleted, in the same transaction: the month they were made in still has their tokens. */
export function keepUsageOf({ sql, device_id }: Pick<Store, 'sql' | 'device_id'>, run_ids: string): void {
  sql.run`
    INSERT INTO usage_by_month (month, model, address, kind, runs, input_tokens, output_tokens, cached_tokens, estimated)
    SELECT strftime('%Y-%m', r.started_at / 1000, 'unixepoch') AS month, r.model, coalesce(a.address, '') AS address, 'erased', count(*),
      sum(r.input_tokens), sum(r.output_tokens), sum(r.cached_tokens), max(r.estimated)
    FROM runs r LEFT JOIN run_addresses a ON a.run_id = r.run_id
    WHERE r.run_id IN (SELECT value FROM json_each(${run_ids})) AND r.device_id = ${device_id} AND r.input_tokens + r.output_tokens > 0
    GROUP BY 1, 2, 3
    ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, input_tokens = input_tokens + excluded.input_tokens,
      output_tokens = output_tokens + excluded.output_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
      estimated = max(estimated, excluded.estimated)`
}
