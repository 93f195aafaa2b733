// The local database: one file, one writer, one door. Nothing else in the product imports SQLite.
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Clock, type HybridClock, hybridClock } from '../clock/clock.ts'
import { type FillRandom, idMaker, type NewId } from '../clock/id.ts'
import { type Lease, takeLease } from './lease.ts'
import { migrate } from './migrate.ts'

/** A function that gives back a promise would leave the transaction open while others write into it. */
type Sync<Result> = Result extends PromiseLike<unknown> ? never : Result

export interface Store {
  /** Tandem's own folder. */
  readonly home: string
  /** The user's home folder under each of its names, its real path first. */
  readonly user_homes: readonly string[]
  readonly device_id: string
  readonly clock: Clock
  readonly newId: NewId
  readonly stamps: HybridClock
  /** SQL as a tagged template; values are bound, never pasted. The same text is prepared once. */
  readonly sql: Sql
  /** All or nothing. Inside another one it joins it. */
  transaction<Result>(work: () => Sync<Result>): Result
  /**
   * The same, without waiting for the disk: for what may simply be done again, like the intent to look or to ask a model. It survives the end of
   * the process; after a power cut it may be missing, but never without everything written after it.
   */
  relaxed<Result>(work: () => Sync<Result>): Result
  /** Waits for the disk, so that what was written relaxed is there too: before anybody else is told of it. */
  flush(): void
  /** Called once what is being written is on disk; at once outside a transaction. Dropped when it is rolled back. */
  afterCommit(call: () => void): void
  /** Writes what came from elsewhere: it is not sent back. */
  applying<Result>(work: () => Sync<Result>): Result
  /** Called soon after something was written that crosses devices, once for many. The answer ends it. */
  onWritten(call: () => void): () => void
  /** Truncates the log when nothing was written since the last look: a burst of writing would keep its size on disk until the end. */
  tidy(): void
  close(): void
}

export interface StoreOptions {
  readonly home: string
  /** That of the account this process runs under, unless the environment names another one. */
  readonly user_home?: string
  readonly clock: Clock
  /** What ids are made of; the system's own unless a test must be able to repeat itself. */
  readonly fill?: FillRandom
}

export class FolderInUseError extends Error {
  constructor(home: string) {
    super(`${home} is in use by another Tandem: attach to it, or stop it first`)
    this.name = 'FolderInUseError'
  }
}

/** Throws `FolderInUseError` while another runtime holds the folder. */
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
  let applying = 0
  const stamps = hybridClock(clock)
  const written = new Set<() => void>()
  let telling = false
  // Every trigger of the outbox asks this; a write of our own is told when the transaction around it has ended.
  database.function('tandem_applying', () => {
    if (applying === 0 && !telling && written.size > 0) {
      telling = true
      queueMicrotask(() => {
        telling = false
        for (const call of written) call()
      })
    }
    return applying
  })
  database.function('tandem_stamp', () => stamps.next())
  // Small pages: a journal writes little at a time and waits for the disk each time.
  database.exec('PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  migrate(database)
  const sql = openSql(database)
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
      // One log for all: a commit that waits for the disk takes along whatever stands before it. A row that did not change would not be written.
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
      applying += 1
      try {
        return transaction(work)
      } finally {
        applying -= 1
      }
    },
    onWritten(call) {
      written.add(call)
      return () => written.delete(call)
    },
    tidy() {
      const changes = Number(sql.get`SELECT total_changes() AS changes`?.changes)
      const idle = changes === seen && depth === 0
      seen = changes
      if (!idle || changes === tidied) return
      // Somebody who reads the file from outside is not waited for: the next look comes.
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

/** The device's name is made once and stays with the folder. */
function deviceId(sql: Sql, newId: NewId): string {
  sql.run`INSERT OR IGNORE INTO meta (name, value) VALUES ('device_id', ${newId()})`
  return String(sql.get`SELECT value FROM meta WHERE name = 'device_id'`?.value)
}

/** Stamps go on from the last one written, even when the wall clock was set back meanwhile. */
function latestStamp(sql: Sql): number {
  const row = sql.get`
    SELECT max(stamp) AS stamp FROM (SELECT max(updated_at) AS stamp FROM outbox UNION ALL SELECT max(updated_at) FROM records)`
  return Number(row?.stamp ?? 0)
}

/** A home folder may be reached by a link. */
function namesOf(folder: string): readonly string[] {
  const given = resolve(folder)
  return [...new Set([existsSync(given) ? realpathSync(given) : given, given])]
}

/** A row nobody gave a shape: each value is looked at before it is used. */
type Anything = Record<string, unknown>

/** The one typed door to the database: SQL as a tagged template, and the shape of its rows said where they are asked for. */
interface Sql {
  all<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Row[]
  get<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Row | undefined
  iterate<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Iterable<Row>
  run(
    text: TemplateStringsArray,
    ...values: SQLInputValue[]
  ): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
}

/** The same text is prepared once. The columns of a statement are its author's promise: they stand beside the type. */
function openSql(database: DatabaseSync): Sql {
  const tags = database.createTagStore(1_000)
  return {
    all: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.all(text, ...values) as Row[],
    get: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.get(text, ...values) as Row | undefined,
    iterate: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.iterate(text, ...values) as Iterable<Row>,
    run: (text, ...values) => tags.run(text, ...values),
  }
}
