import type { Sql, TransactionSql } from 'postgres'
import { type FoundUsers, findUsersWithOldRows } from '../../database/old-row-search.ts'
import { type Month, monthOf } from './month.ts'
import type { CallRow } from './row.ts'

/**
 * Writes a user's rows and increases their monthly sums, in one statement: a call that has already ended is not changed, so that a batch
 * with an unconfirmed commit can be sent again. Only ended calls are summed: the cost of the others is claimed elsewhere.
 * Returns the sums of all months of the rows.
 */
export async function insertCalls(sql: TransactionSql, userId: string, rows: readonly CallRow[]): Promise<Map<Month, number>> {
  // Flags are sent as text: the driver treats a list of booleans as one boolean.
  const column = <Value>(pick: (row: CallRow) => Value) => rows.map(pick)
  const raised = await sql<{ month: Month; tokens: number }[]>`
    with written as (
      insert into tandem.model_calls as calls (user_id, generation_id, ts, device_id, operation, model, status,
        input_tokens, cached_input_tokens, output_tokens, estimated, aborted, attempts, first_byte_ms, duration_ms, ended)
      select ${userId}::uuid, * from unnest(
        ${column(({ generation_id }) => generation_id)}::uuid[],
        ${column(({ ts }) => new Date(ts).toISOString())}::timestamptz[],
        ${column(({ device_id }) => device_id)}::text[],
        ${column(({ operation }) => operation)}::text[],
        ${column(({ model }) => model)}::text[],
        ${column(({ status }) => status)}::smallint[],
        ${column(({ input_tokens }) => input_tokens)}::bigint[],
        ${column(({ cached_input_tokens }) => cached_input_tokens)}::bigint[],
        ${column(({ output_tokens }) => output_tokens)}::bigint[],
        ${column(({ estimated }) => String(estimated))}::text[]::boolean[],
        ${column(({ aborted }) => String(aborted))}::text[]::boolean[],
        ${column(({ attempts }) => attempts)}::smallint[],
        ${column(({ first_byte_ms }) => first_byte_ms)}::integer[],
        ${column(({ duration_ms }) => duration_ms)}::integer[],
        ${column(({ ended }) => String(ended))}::text[]::boolean[])
      on conflict (user_id, generation_id) do update set
        (model, status, input_tokens, cached_input_tokens, output_tokens, estimated, aborted, attempts, first_byte_ms, duration_ms, ended) =
        (excluded.model, excluded.status, excluded.input_tokens, excluded.cached_input_tokens, excluded.output_tokens, excluded.estimated,
          excluded.aborted, excluded.attempts, excluded.first_byte_ms, excluded.duration_ms, excluded.ended)
      where not calls.ended and excluded.ended
      returning ts, case when ended then input_tokens + output_tokens else 0 end as tokens
    )
    insert into tandem.model_months as sums (user_id, month, tokens)
    select ${userId}::uuid, date_trunc('month', ts at time zone 'UTC')::date as month, sum(tokens) from written group by month order by month
    on conflict (user_id, month) do update set tokens = sums.tokens + excluded.tokens
    returning to_char(month, 'YYYY-MM') as month, tokens::float8 as tokens`
  const sums = new Map(raised.map(({ month, tokens }) => [month, tokens]))
  for (const month of new Set(rows.map(({ ts }) => monthOf(ts)))) {
    if (!sums.has(month)) sums.set(month, await readMonth(sql, userId, month))
  }
  return sums
}

/** The tokens of a user in a month. */
export async function readMonth(sql: TransactionSql, userId: string, month: Month): Promise<number> {
  const [row] = await sql<{ tokens: number }[]>`
    select tokens::float8 as tokens from tandem.model_months where user_id = ${userId} and month = ${`${month}-01`}::date`
  return row?.tokens ?? 0
}

export interface UsageFilter {
  readonly since: string
  readonly until: string
  readonly forgotten_before: string
  readonly model?: string
  readonly device_id?: string
}

export interface UsageRow {
  readonly by: 'all' | 'day' | 'model' | 'device'
  readonly day: string | null
  readonly model: string | null
  readonly device_id: string | null
  readonly requests: number
  readonly failed_requests: number
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
}

/**
 * Everything in a report, from one snapshot. `since` and `until` are days, both inclusive. A call that started before `forgotten_before`
 * and has not ended never will: its node died.
 */
export async function sumCalls(
  sql: TransactionSql,
  userId: string,
  { since, until, model, device_id, forgotten_before }: UsageFilter,
): Promise<UsageRow[]> {
  return sql<UsageRow[]>`
    select
      case grouping(day, model, device_id) when 7 then 'all' when 3 then 'day' when 5 then 'model' else 'device' end as by,
      to_char(day, 'YYYY-MM-DD') as day, model, device_id,
      count(*)::float8 as requests,
      count(*) filter (where status >= 400 or (not ended and ts < ${forgotten_before}::timestamptz))::float8 as failed_requests,
      coalesce(sum(input_tokens), 0)::float8 as input_tokens,
      coalesce(sum(cached_input_tokens), 0)::float8 as cached_input_tokens,
      coalesce(sum(output_tokens), 0)::float8 as output_tokens
    from (
      select (ts at time zone 'UTC')::date as day, ts, ended, model, device_id, status, input_tokens, cached_input_tokens, output_tokens
      from tandem.model_calls
      where user_id = ${userId} and ts >= ${`${since}T00:00:00Z`}::timestamptz and ts < ${`${until}T00:00:00Z`}::timestamptz + interval '24 hours'
        ${model === undefined ? sql`` : sql`and model = ${model}`}
        ${device_id === undefined ? sql`` : sql`and device_id = ${device_id}`}
    ) calls
    group by grouping sets ((), (day), (model), (device_id))
    order by day, model, device_id nulls last`
}

/** Users with calls from before `time`, without those of `except`. */
export function usersWithCallsBefore(owner: Sql, time: string, except: readonly string[]): Promise<FoundUsers> {
  return findUsersWithOldRows(owner, { table: 'model_calls', column: 'ts', before: time, except })
}

export function usersWithMonthsBefore(owner: Sql, month: Month, except: readonly string[]): Promise<FoundUsers> {
  return findUsersWithOldRows(owner, { table: 'model_months', column: 'month', before: `${month}-01`, except })
}

/** Deletes at most `most` of a user's calls from before `time`; returns how many. */
export async function deleteCallsBefore(owner: Sql, userId: string, time: string, most: number): Promise<number> {
  const { count } = await owner`
    delete from tandem.model_calls
    where user_id = ${userId} and generation_id in (
      select generation_id from tandem.model_calls where user_id = ${userId} and ts < ${time}::timestamptz order by ts limit ${most})`
  return count
}

export async function deleteMonthsBefore(owner: Sql, userId: string, month: Month): Promise<void> {
  await owner`delete from tandem.model_months where user_id = ${userId} and month < ${`${month}-01`}::date`
}
