// The local database: one file with one writer. No other module imports SQLite.
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Clock, type HybridClock, hybridClock } from '../clock/clock.ts'
import { type FillRandom, idMaker, type NewId } from '../clock/id.ts'
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
  /** Increases whenever a run or its conversation may have changed: until then, what was read of them is still true. */
  runChanges(): number
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
  let runChanges = 0
  const sql = openSql(database, () => {
    runChanges += 1
  })
  const newId = idMaker(clock, fill)
  stamps.observe(latestStamp(sql))
  const waiting: (() => void)[] = []
  let depth = 0
  let unflushed = false
  let seen = -1
  let tidied = -1

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
      runChanges += 1
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
    runChanges: () => runChanges,
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
  iterate<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Iterable<Row>
  run(
    text: TemplateStringsArray,
    ...values: SQLInputValue[]
  ): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
}

/** Each text is prepared once. The author of a statement guarantees that its columns match the type. */
function openSql(database: DatabaseSync, runChanged: () => void): Sql {
  const tags = database.createTagStore(1_000)
  const known = new WeakMap<TemplateStringsArray, boolean>()
  /** Before each statement. */
  function note(text: TemplateStringsArray): TemplateStringsArray {
    const changes = known.get(text) ?? mayChangeRuns(text.join('?'))
    known.set(text, changes)
    if (changes) runChanged()
    return text
  }
  return {
    all: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.all(note(text), ...values) as Row[],
    get: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.get(note(text), ...values) as Row | undefined,
    iterate: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.iterate(note(text), ...values) as Iterable<Row>,
    run: (text, ...values) => tags.run(note(text), ...values),
  }
}

/** By the words of the statement: one that names a table without changing it costs a read, one that is overlooked would show old data. */
export function mayChangeRuns(text: string): boolean {
  return /\b(?:runs|conversations)\b/i.test(text) && !/^\s*SELECT\b/i.test(text)
}
