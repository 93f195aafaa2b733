// Finds the users who have old rows, through an index that starts with the time. On Citus every shard is searched on its own: one statement
// over all of them would fail with the first worker that is down.
import type { Sql } from 'postgres'
import { isUuid } from './database.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/** How many old rows one search looks at, in a table or in one of its shards. Those of a user are deleted together, so the next search finds others. */
export const rowsPerSearch = 10_000
const rowsPerShardSearch = 1_000

export interface OldRowSearch {
  /** In the schema `tandem`. */
  readonly table: string
  /** A column with the time, or one that grows with it. An index starts with it, unless every row is old. */
  readonly column: string
  /** Rows with a smaller value are old. */
  readonly before: number | string
  /** The condition of a partial index, without `%`. */
  readonly only?: string
  /** Users who are left out. */
  readonly except: readonly string[]
}

export interface FoundUsers {
  readonly users: readonly string[]
  /** Shards that could not be searched. Their users are not among `users`. */
  readonly outage?: DatabaseUnavailable
}

interface ShardResult {
  readonly shardid: string
  readonly success: boolean
  readonly result: string
}

/** The users of the oldest rows; takes no locks. */
export async function findUsersWithOldRows(owner: Sql, search: OldRowSearch): Promise<FoundUsers> {
  const table = `tandem.${search.table}`
  if (await isDistributed(owner, table)) return await searchShards(owner, table, search)
  const [row] = await owner.unsafe<{ users: string }[]>(searchText(search, table, rowsPerSearch))
  return { users: usersOf(row?.users) }
}

async function isDistributed(owner: Sql, table: string): Promise<boolean> {
  const [citus] = await owner<{ has: boolean }[]>`select to_regclass('pg_catalog.pg_dist_partition') is not null as has`
  if (!citus?.has) return false
  const [row] = await owner<{ has: boolean }[]>`
    select exists (select from pg_catalog.pg_dist_partition where logicalrelid = ${table}::regclass) as has`
  return row?.has === true
}

async function searchShards(owner: Sql, table: string, search: OldRowSearch): Promise<FoundUsers> {
  const shards = await owner.begin(async (sql) => {
    const [, , found] = await Promise.all([
      // The statement ends after a worker that does not respond was given up, so that the others are searched.
      sql`set local statement_timeout = '60s'`,
      sql`set local citus.node_connection_timeout = '5s'`,
      sql<ShardResult[]>`
        select shardid::text, success, result
        from pg_catalog.run_command_on_shards(${table}::regclass, ${searchText(search, '%s', rowsPerShardSearch)}) order by shardid`,
    ])
    return found
  })
  const users = shards.filter(({ success }) => success).flatMap(({ result }) => usersOf(result))
  const failed = shards.filter(({ success }) => !success)
  const [first] = failed
  if (!first) return { users }
  const message = `${failed.length} of ${shards.length} shards of ${table} could not be searched; the first is ${first.shardid}: ${first.result}`
  return { users, outage: new DatabaseUnavailable('shard', message) }
}

/** One row with one value, which is all that Citus returns of a shard. It takes no parameters, so nothing but a plain value becomes part of it. */
function searchText({ column, before, only, except }: OldRowSearch, table: string, most: number): string {
  const value = typeof before === 'number' ? String(Math.trunc(before)) : `'${before}'`
  if (!/^(-?\d+|'[\w:.+-]+')$/.test(value)) throw new Error(`old rows are searched by a number, a time or an id, not by ${value}`)
  if (!except.every(isUuid)) throw new Error('users are left out by their ids')
  const others = except.length === 0 ? '' : ` and user_id <> all ('{${except.join()}}'::uuid[])`
  const condition = `${only === undefined ? '' : `${only} and `}${column} < ${value}${others}`
  return `select coalesce(json_agg(user_id), '[]')::text as users from (select distinct user_id from (select user_id from ${table} where ${condition} order by ${column} limit ${most}) old) found`
}

function usersOf(json: string | undefined): string[] {
  return json === undefined ? [] : (JSON.parse(json) as string[])
}
