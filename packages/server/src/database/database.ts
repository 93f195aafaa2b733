// Access to PostgreSQL: three pools, each with only the rights its callers need.
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
  asUser<T>(userId: string, work: (sql: TransactionSql) => Promise<T>): Promise<T>
  /** Sign-in, refresh, registration: a role that sees only accounts and sessions. */
  asAccounts<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>
  /** Migrations, retention, epoch: as the owner. */
  readonly owner: Sql
  /** Called when connections were lost: the next ones may reach another server. */
  onLost(listener: () => void): void
  /** Reads a table in each role that requests use: a database that answers may still refuse them. */
  ping(): Promise<void>
  close(): Promise<void>
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

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
}

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
  const app = pool(target.max_connections ?? 20, 'tandem_app')
  const accounts = pool(5, 'tandem_accounts')
  const owner = pool(5)
  const ownerSql = lastingSql(owner)

  return {
    async asUser(userId, work) {
      // An invalid UUID would fail inside each policy, far from its cause.
      if (!uuid.test(userId)) throw new Error('asUser needs a UUID in lower case')
      return app.transaction((sql) => inRole(sql, address, 'tandem_app', userId, work))
    },
    async asAccounts(work) {
      return accounts.transaction((sql) => inRole(sql, address, 'tandem_accounts', '', work))
    },
    owner: ownerSql,
    onLost: (listener) => void lossListeners.push(listener),
    async ping() {
      try {
        await Promise.all([
          ownerSql`select 1 from tandem.server_epoch`,
          app.transaction((sql) => inRole(sql, address, 'tandem_app', '', (inside) => inside`select 1 from tandem.users limit 1`)),
          accounts.transaction((sql) =>
            inRole(sql, address, 'tandem_accounts', '', (inside) => inside`select 1 from tandem.sessions limit 1`),
          ),
        ])
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
async function inRole<T>(
  sql: TransactionSql,
  address: DatabaseAddress,
  role: string,
  userId: string,
  work: (sql: TransactionSql) => Promise<T>,
): Promise<T> {
  // Behind a pooler, the session has none of our settings.
  const setting = address.pooled
    ? sql`select set_config(key, value, true) from jsonb_each_text(${JSON.stringify({ ...settings, role, 'app.user_id': userId })}::text::jsonb)`
    : sql`select set_config('role', ${role}, true), set_config('app.user_id', ${userId}, true)`
  // If this fails, PostgreSQL refuses every later statement of the transaction, so nothing runs with the wrong rights.
  const set = setting.execute()
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

/** A pool as one permanent `Sql`: each use gets the current connections of the pool. */
function lastingSql(pool: Pool): Sql {
  return new Proxy(pool.sql, {
    apply: (_target, self, args) => Reflect.apply(pool.sql, self, args),
    get(_target, name) {
      if (name === 'begin') return (...args: unknown[]) => pool.transaction(beginWork(args))
      return Reflect.get(pool.sql, name)
    },
  })
}

function beginWork(args: readonly unknown[]): (sql: TransactionSql) => Promise<unknown> {
  const work = args.at(-1)
  if (args.length !== 1 || typeof work !== 'function') throw new Error('begin takes one function')
  return async (sql) => work(sql)
}
