// The local database: one file with one writer. No other module imports SQLite.
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Clock, type HybridClock, hybridClock } from '../clock/clock.ts'
import { type FillRandom, idMaker, type NewId } from '../clock/id.ts'
import { changedTables, changesOfTables, onlyReads, type TableChanges } from './changed-tables.ts'
import { type Lease, takeLease } from './lease.ts'
import { migrate } from './migrate.ts'

/** A function that returns a promise would leave the transaction open while others write into it. */
type Sync<Result> = Result extends PromiseLike<unknown> ? never : Result

export interface Store {
  /** Tandem's own folder. */
  readonly home: string
  /** The user's home folder under each of its paths, its real path first. */
  readonly user_homes: readonly string[]
  readonly device_id: string
  readonly clock: Clock
  readonly newId: NewId
  readonly stamps: HybridClock
  /** SQL as a tagged template; values are bound, never interpolated. Each text is prepared once. */
  readonly sql: Sql
  /** All or nothing. Nested transactions join the outer one. */
  transaction<Result>(work: () => Sync<Result>): Result
  /**
   * The same without waiting for the disk: for work that can simply be repeated, such as the intent to read or to call a model. It survives
   * the end of the process; after a power failure it may be missing, but only together with everything written after it.
   */
  relaxed<Result>(work: () => Sync<Result>): Result
  /** Waits until relaxed writes are on disk as well, before others can see them. */
  flush(): void
  /** Called when the current transaction is on disk, or immediately outside a transaction. Not called after a rollback. */
  afterCommit(call: () => void): void
  /** Writes data from another device, which is not sent back. */
  applying<Result>(work: () => Sync<Result>): Result
  /** Called soon after something synchronized was written, once for many writes. Returns a function that unsubscribes. */
  onWritten(call: () => void): () => void
  /** Keeps what was read of these tables in memory until one of them may have changed, or a transaction is rolled back. */
  readonly kept: KeptReads['open']
  /** Truncates the log if nothing was written since the last call: otherwise it would keep its largest size on disk. */
  tidy(): void
  close(): void
}

export interface StoreOptions {
  readonly home: string
  /** By default the home folder of the account this process runs under, or the one in the environment. */
  readonly user_home?: string
  readonly clock: Clock
  /** The source of random bytes for ids; tests pass in a reproducible one. */
  readonly fill?: FillRandom
}

export class FolderInUseError extends Error {
  constructor(home: string) {
    super(`${home} is in use by another Tandem process: stop it first, or use another folder`)
    this.name = 'FolderInUseError'
  }
}

/** Throws `FolderInUseError` while another runtime uses the folder. */
export function openStore(options: StoreOptions): Store {
  const { home } = options
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const lease = takeLease(home)
  if (!lease) throw new FolderInUseError(home)
  try {
    return openHeld(options, lease)
  } catch (error) {
    lease.release()
    throw error
  }
}

function openHeld({ home, user_home = homedir(), clock, fill }: StoreOptions, lease: Lease): Store {
  const file = join(home, 'tandem.db')
  const database = new DatabaseSync(file, { timeout: 5_000 })
  chmodSync(file, 0o600)
  let applyRemote = 0
  const stamps = hybridClock(clock)
  const written = new Set<() => void>()
  let telling = false
  // Called by every outbox trigger; subscribers are called when the transaction of the write has ended.
  database.function('tandem_applying', () => {
    if (applyRemote === 0 && !telling && written.size > 0) {
      telling = true
      queueMicrotask(() => {
        telling = false
        for (const call of written) call()
      })
    }
    return applyRemote
  })
  database.function('tandem_stamp', () => stamps.next())
  // Small pages: a journal writes little at a time and waits for the disk each time.
  database.exec('PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  migrate(database)
  let depth = 0
  const reads = openKeptReads(database)
  const sql = openSql(database, reads.effectOf, assertNotRolledBack)
  const newId = idMaker(clock, fill)
  stamps.observe(latestStamp(sql))
  const waiting: (() => void)[] = []
  let unflushed = false
  let seen = -1
  let tidied = -1

  /** A full disk ends a transaction on its own. If that error was caught, what follows would be written without the rest. */
  function assertNotRolledBack(): void {
    if (depth === 0 || database.isTransaction) return
    reads.clear()
    throw new Error('the transaction was rolled back: the disk is full or cannot be written')
  }

  function transaction<Result>(work: () => Sync<Result>): Result {
    if (depth > 0) return work() as Result
    database.exec('BEGIN IMMEDIATE')
    depth = 1
    let result: Result
    try {
      result = work() as Result
      database.exec('COMMIT')
    } catch (error) {
      waiting.length = 0
      reads.clear()
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    } finally {
      depth = 0
    }
    for (const call of waiting.splice(0)) call()
    return result
  }

  return {
    home,
    user_homes: namesOf(user_home),
    device_id: deviceId(sql, newId),
    clock,
    newId,
    stamps,
    sql,
    transaction,
    relaxed(work) {
      if (depth > 0) return work()
      unflushed = true
      database.exec('PRAGMA synchronous = NORMAL')
      try {
        return transaction(work)
      } finally {
        database.exec('PRAGMA synchronous = FULL')
      }
    },
    flush() {
      if (!unflushed) return
      // All writes share one log: a commit that waits for the disk includes everything before it. An unchanged row would not be written.
      transaction(
        () =>
          sql.run`INSERT INTO meta (name, value) VALUES ('flushed', '1') ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
      )
      unflushed = false
    },
    afterCommit(call) {
      if (depth > 0) waiting.push(call)
      else call()
    },
    applying(work) {
      applyRemote += 1
      try {
        return transaction(work)
      } finally {
        applyRemote -= 1
      }
    },
    onWritten(call) {
      written.add(call)
      return () => written.delete(call)
    },
    kept: reads.open,
    tidy() {
      const changes = Number(sql.get`SELECT total_changes() AS changes`?.changes)
      const idle = changes === seen && depth === 0
      seen = changes
      if (!idle || changes === tidied) return
      // Do not wait for an external reader of the file: the next call tries again.
      database.exec('PRAGMA busy_timeout = 0')
      try {
        const busy = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy
        if (busy === 0) tidied = changes
      } finally {
        database.exec('PRAGMA busy_timeout = 5000')
      }
    },
    close() {
      written.clear()
      try {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        database.close()
        lease.release()
      }
    },
  }
}

/** The device id is created once and stays with the folder. */
function deviceId(sql: Sql, newId: NewId): string {
  sql.run`INSERT OR IGNORE INTO meta (name, value) VALUES ('device_id', ${newId()})`
  return String(sql.get`SELECT value FROM meta WHERE name = 'device_id'`?.value)
}

/** Stamps continue after the last one written, even if the wall clock was set back meanwhile. */
function latestStamp(sql: Sql): number {
  const row = sql.get`
    SELECT max(stamp) AS stamp FROM (SELECT max(updated_at) AS stamp FROM outbox UNION ALL SELECT max(updated_at) FROM records)`
  return Number(row?.stamp ?? 0)
}

/** A home folder may be a symbolic link. */
function namesOf(folder: string): readonly string[] {
  const given = resolve(folder)
  return [...new Set([existsSync(given) ? realpathSync(given) : given, given])]
}

/** An untyped row: each value is checked before it is used. */
type Anything = Record<string, unknown>

/** The typed interface to the database: SQL as a tagged template, with the type of the rows given by the caller. */
interface Sql {
  all<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Row[]
  get<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Row | undefined
  run(
    text: TemplateStringsArray,
    ...values: SQLInputValue[]
  ): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
}

interface Prepared {
  readonly statement: StatementSync
  readonly before: (() => void) | null
}

/**
 * Each statement of the source is prepared once, and found by its template: looking for its text would cost more than executing most of
 * them. `effectOf` returns what is called before each execution. The author of a statement guarantees that its columns match the type.
 */
function openSql(database: DatabaseSync, effectOf: (text: string) => (() => void) | null, assertWritable: () => void): Sql {
  const known = new WeakMap<TemplateStringsArray, Prepared>()

  function ready(text: TemplateStringsArray): StatementSync {
    let prepared = known.get(text)
    if (!prepared) {
      const whole = text.join('?')
      prepared = { statement: database.prepare(whole), before: effectOf(whole) }
      known.set(text, prepared)
    }
    if (prepared.before) {
      assertWritable()
      prepared.before()
    }
    return prepared.statement
  }

  return {
    all: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => ready(text).all(...values) as Row[],
    get: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => ready(text).get(...values) as Row | undefined,
    run: (text, ...values) => ready(text).run(...values),
  }
}

/** Values by their key. Everyone gets the same value, so none may be changed. */
interface Kept<Value> {
  /** `read` only reads, and only the tables that were named. */
  get(key: string, read: () => Value): Value
  /** What was just written: it need not be read again. */
  put(key: string, value: Value): void
}

interface KeptReads {
  /** Emptied when one of these tables may have changed. */
  open<Value>(...tables: readonly string[]): Kept<Value>
  /** To be called before the statement is executed; null if it only reads. */
  effectOf(text: string): (() => void) | null
  /** After a rollback: what was read in the transaction was never true. */
  clear(): void
}

/** Of one kind, such as the records of a device. */
const mostValues = 2_000

function openKeptReads(database: DatabaseSync): KeptReads {
  const kept = new Map<string, Set<Map<string, unknown>>>()
  let changedWith: TableChanges | null = null

  function empty(tables: readonly string[]): void {
    for (const table of tables) for (const values of kept.get(table) ?? []) values.clear()
  }

  return {
    open<Value>(...tables: readonly string[]): Kept<Value> {
      changedWith ??= changesOfTables(database)
      const values = new Map<string, Value>()
      for (const table of tables) {
        if (!changedWith.has(table)) throw new Error(`there is no table ${table}`)
        const ofTable = kept.get(table) ?? new Set()
        kept.set(table, ofTable.add(values))
      }
      function put(key: string, value: Value): void {
        if (values.size >= mostValues) values.clear()
        values.set(key, value)
      }
      return {
        get(key: string, read: () => Value) {
          const found = values.get(key)
          if (found !== undefined || values.has(key)) return found as Value
          const value = frozen(read())
          put(key, value)
          return value
        },
        put,
      }
    },
    effectOf(text) {
      if (onlyReads(text)) return null
      changedWith ??= changesOfTables(database)
      const changed = changedTables(text, changedWith)
      return () => empty(changed)
    },
    clear: () => empty([...kept.keys()]),
  }
}

/** A caller that changes what it was given must fail, and not change what others are given. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}
