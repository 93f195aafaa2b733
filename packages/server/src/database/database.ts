// Access to PostgreSQL: three pools, each with only the rights its callers need.
import { randomUUID } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import type { DatabaseAddress } from '../config/database-url.ts'
import { openPool, type Pool, type PoolOptions } from './pool.ts'
import { asUnavailable, DatabaseUnavailable, isConnectionLoss } from './unavailable.ts'

export type { DatabaseAddress }
export { DatabaseUnavailable }

export interface DatabaseTarget {
  readonly address: DatabaseAddress
  readonly password: string
  /** Connections for users' statements; accounts and the owner use a few more. */
  readonly max_connections?: number
}

export interface Database {
  /** Statements as `tandem_app`, which see only this user's rows; one transaction. */
  asUser<T>(userId: string, work: (sql: TransactionSql) => Promise<T>, plan?: Plan): Promise<T>
  /** Sign-in, refresh, registration: a role that sees only accounts and sessions; of `userId`, or of the one that is set later. */
  asAccounts<T>(work: (sql: TransactionSql) => Promise<T>, userId?: string): Promise<T>
  /** Migrations, retention, epoch: as the owner. */
  readonly owner: Sql
  /** Called when connections were lost: the next ones may reach another server. */
  onLost(listener: () => void): void
  /** Reads a table in each role that requests use: a database that answers may still refuse them. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** `by_index` makes the planner use the indexes, whatever the statistics of a table are (docs/decisions/0016). */
export type Plan = 'usual' | 'by_index'

export const byIndexText =
  'set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off; ' +
  'set local enable_hashjoin = off; set local enable_mergejoin = off'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** Restricts the transaction to the rows of this user. Sent immediately, so that statements issued before it completes run after it. */
export async function setCurrentUser(sql: TransactionSql, userId: string): Promise<void> {
  await sql.unsafe(userText(userId)).execute()
}

/** Set in every session, overriding the database, the role and the server's file: our code relies on these formats. */
const settings = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '15s',
  // Every name in our SQL has its schema: no object can be placed in front of it.
  search_path: 'pg_catalog',
  client_min_messages: 'warning',
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  // If off, a policy would fail a statement instead of filtering rows.
  row_security: 'on',
  // Statements that wait for a lock depend on it. Transactions also set it themselves (pool.ts).
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // How long Citus waits for a worker that does not answer, instead of 30 s: such requests would occupy the node. PostgreSQL ignores it.
  'citus.node_connection_timeout': '3s',
  // Makes Citus forward `set local` to its workers. PostgreSQL itself ignores it. The last one: what is set before it need not be forwarded.
  'citus.propagate_set_commands': 'local',
}

/** Behind a pooler, a session has none of our settings: each transaction makes them. */
const settingsText = Object.entries(settings)
  .map(([name, value]) => `set local ${name} = '${value}'`)
  .join('; ')

const most = { app: 20, accounts: 5, owner: 5 }

/** Connections that one process opens at most. They stay open when they are idle. */
export const connectionsPerProcess: number = most.app + most.accounts + most.owner

/** Opens no connection; the first statement of each pool does. */
export async function openDatabase(target: DatabaseTarget, log: (line: string) => void): Promise<Database> {
  const { address, password } = target
  const lossListeners: (() => void)[] = []
  const onLost = () => {
    for (const listener of lossListeners) listener()
  }
  const pool = (max: number, role?: string) => {
    // The role of the session is unprivileged too: a statement outside of its transaction sees nothing.
    const session = role === undefined ? settings : { ...settings, role }
    return openPool({ address, password, max, session, patient: role === undefined, log, onLost } satisfies PoolOptions)
  }
  const app = pool(target.max_connections ?? most.app, 'tandem_app')
  const accounts = pool(most.accounts, 'tandem_accounts')
  const owner = pool(most.owner)
  const ownerSql = lastingSql(owner)
  const readAsUser = (userId: string) =>
    app.transaction((sql) =>
      inRole(sql, roleText(address, 'tandem_app', userId), (inside) => inside`select 1 from tandem.users where user_id = ${userId}`),
    )
  const readAsAccounts = (userId: string) =>
    accounts.transaction((sql) =>
      inRole(
        sql,
        roleText(address, 'tandem_accounts', userId),
        (inside) => inside`select 1 from tandem.sessions where user_id = ${userId} limit 1`,
      ),
    )

  return {
    async asUser(userId, work, plan = 'usual') {
      // An invalid UUID would fail inside each policy, far from its cause.
      if (!isUuid(userId)) throw new Error('asUser needs a UUID in lower case')
      const text = roleText(address, 'tandem_app', userId)
      return app.transaction((sql) => inRole(sql, plan === 'by_index' ? `${text}; ${byIndexText}` : text, work))
    },
    async asAccounts(work, userId) {
      const text = roleText(address, 'tandem_accounts', userId)
      return accounts.transaction((sql) => inRole(sql, text, work))
    },
    owner: ownerSql,
    onLost: (listener) => void lossListeners.push(listener),
    async ping() {
      try {
        await Promise.all([ownerSql`select 1 from tandem.server_epoch`, pingShard(readAsUser), pingShard(readAsAccounts)])
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    async close() {
      await Promise.all([app.close(), accounts.close(), owner.close()])
    },
  }
}

/** Sends the settings together with the first statement of `work`, without an extra round trip. */
async function inRole<T>(sql: TransactionSql, settings: string, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  const set = sql.unsafe(settings).execute()
  // If this fails, PostgreSQL refuses every later statement of the transaction, so nothing runs with the wrong rights.
  const working = work(sql)
  working.catch(() => undefined)
  try {
    await set
  } catch (error) {
    // All its statements must have failed before the rollback, or a late one would run outside of the transaction.
    // On a lost connection nothing can run, and some statements would never settle.
    if (!isConnectionLoss(error)) await working.catch(() => undefined)
    throw error
  }
  return working
}

/**
 * `set local` and not `set_config()`: Citus forwards only the statement to its workers, where policies read it. It takes no parameters, so
 * nothing but a UUID may become part of its text.
 */
function userText(userId: string): string {
  if (!isUuid(userId)) throw new Error('a user is set by a UUID in lower case')
  return `set local app.user_id = '${userId}'`
}

function roleText(address: DatabaseAddress, role: string, userId: string | undefined): string {
  const user = userId === undefined ? '' : `; ${userText(userId)}`
  return address.pooled
    ? // A session of a pooler may have been used by others.
      `${settingsText}; set local role = '${role}'${user === '' ? "; set local app.user_id = ''" : user}`
    : `set local role = '${role}'${user}`
}

/** Shards that are asked before the database counts as unavailable. */
const shardsAsked = 4

/**
 * Reads a row of one user, whoever it is: with Citus it is on one shard, so that a worker answers too. If that shard is down, others are
 * asked: a node that can still serve most users stays ready.
 */
async function pingShard(read: (userId: string) => Promise<unknown>): Promise<void> {
  try {
    await read(randomUUID())
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || error.reason !== 'shard') throw error
    const others = Array.from({ length: shardsAsked - 1 }, () => read(randomUUID()))
    // Each failed like the first one.
    await Promise.any(others).catch(() => Promise.reject(error))
  }
}

/** A pool as one permanent `Sql`: each use gets the current connections of the pool. */
function lastingSql(pool: Pool): Sql {
  return new Proxy(pool.sql, {
    apply: (_target, self, args) => withoutHoles(Reflect.apply(pool.sql, self, args)),
    get(_target, name) {
      if (name === 'begin') return (...args: unknown[]) => pool.transaction(beginWork(args))
      if (name === 'unsafe') return (...args: unknown[]) => withoutHoles(Reflect.apply(pool.sql.unsafe, pool.sql, args))
      return Reflect.get(pool.sql, name)
    },
  })
}

/**
 * If a statement fails after its first rows, postgres.js keeps counting where it was, and the next result on that connection begins with as
 * many holes: its first row would look like none. In a transaction, the answer to the rollback ends the count.
 */
function withoutHoles<Statement>(statement: Statement): Statement {
  if (!(statement instanceof Promise)) return statement
  const then = statement.then
  const value: typeof then = (resolved, rejected) => then.call(statement, fromFirstRow).then(resolved, rejected)
  return Object.defineProperty(statement, 'then', { value })
}

function fromFirstRow(rows: unknown): unknown {
  if (Array.isArray(rows)) rows.splice(0, firstIndex(rows))
  return rows
}

/** `findIndex` would find a hole. */
function firstIndex(rows: readonly unknown[]): number {
  let index = 0
  while (index < rows.length && !(index in rows)) index += 1
  return index
}

function beginWork(args: readonly unknown[]): (sql: TransactionSql) => Promise<unknown> {
  const work = args.at(-1)
  if (args.length !== 1 || typeof work !== 'function') throw new Error('begin takes one function')
  return async (sql) => work(sql)
}
