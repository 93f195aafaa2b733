import type { TransactionSql } from 'postgres'

/**
 * Holds the planner to the indexes until the transaction ends. Every statement of sync reads a few rows through one, and a plan that was
 * made, or a sample that was taken, while the table was small would read all that a user has.
 */
export async function readByIndex(sql: TransactionSql): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
    set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`
}
