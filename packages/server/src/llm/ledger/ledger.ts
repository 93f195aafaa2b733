// Writes every model call to PostgreSQL as one row, asynchronously.
// - Rows are collected in memory and written in rounds: all of a user in one transaction, because no statement may touch two, and a few
//   users at a time, which share one disk flush. The slower the disk, the more rows per transaction: throughput keeps up with the load.
// - The row of a call that lasts longer than a round is written while it is in progress, and again when it has ended. So a node that is
//   killed loses only what came since its last round; a call that had started keeps its row, which shows that its end is unknown.
// - While PostgreSQL is down, rows are kept and retried. They are never dropped for lack of memory: the meter admits no call whose row
//   could not be kept (`capacity`), because a call that is served and not counted is worse than one that is refused.
// - While a shard is down, its users are set apart: one writer retries them, and the others write the rows of everyone else.
// - An unconfirmed commit is sent again; the key (user_id, generation_id) makes it one row, and an end is never undone.
// - Rows that the last attempt at shutdown could not write are logged, one by one, so that they can be recovered.
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../database/database.ts'
import { errorCode } from '../../database/unavailable.ts'
import type { Services } from '../../services.ts'
import type { Month } from './month.ts'
import type { CallRow } from './row.ts'
import { insertCalls } from './store.ts'

export interface Ledger {
  /** Calls that have ended and are not in PostgreSQL yet. */
  readonly size: number
  /** Takes the row of a call, in progress or ended; never throws. */
  add(row: CallRow): void
  /** When it resolves, all rows of this user taken so far are in PostgreSQL. Rejects while PostgreSQL is down. */
  flush(userId: string): Promise<void>
  close(): Promise<void>
}

/** Called for ended calls that are in PostgreSQL, with their monthly sums; `undefined` for rows that PostgreSQL rejects permanently. */
export type WrittenCalls = (rows: readonly CallRow[], sums: ReadonlyMap<Month, number> | undefined) => void

/**
 * How many rows a node keeps while PostgreSQL is down or its disk hangs: about 15 MB. On a shared disk, a commit took ten seconds, and a
 * node serves thousands of calls per second.
 */
export const capacity = 50_000

/** Between two rounds: short if few users call, longer the more transactions a round has, so that they stay a small part of the work. */
const [shortestRoundMs, longestRoundMs, roundMsPerUser] = [50, 1_000, 32]
/** Rows per statement: far below its timeout. */
const rowsAtOnce = 2_000
const usersAtOnce = 4
const slowestRetryMs = 5_000
const closeMs = 5_000
const closeAgainMs = 50

export function openLedger({ database, log }: Pick<Services, 'database' | 'log'>, written: WrittenCalls): Ledger {
  const waiting = new Map<string, Map<string, CallRow>>()
  const writing = new Map<string, { readonly rows: readonly CallRow[]; readonly done: Promise<void> }>()
  /** The users with pending rows, in order. A user whose commit hangs blocks one writer, not the others. */
  const due = new Set<string>()
  const writers = new Set<Promise<void>>()
  const apart = new Set<string>()
  let retrying: Promise<void> | undefined
  let retryAt = 0
  let failedRetries = 0
  let size = 0
  let writes = 0
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let roundMs = shortestRoundMs
  let closed = false

  function add(row: CallRow): void {
    if (closed) {
      tellLost([row])
      return
    }
    const rows = waiting.get(row.user_id)
    const known = rows?.get(row.generation_id)
    // The end of a call replaces its start, if that was not written yet; never the other way round.
    if (known && !row.ended) return
    if (row.ended && !known?.ended) size += 1
    if (rows) rows.set(row.generation_id, row)
    else waiting.set(row.user_id, new Map([[row.generation_id, row]]))
    if (timer === undefined) wait()
  }

  function wait(): void {
    if (timer !== undefined || closed) return
    timer = setTimeout(tick, failures === 0 ? roundMs : retryMs(failures)).unref()
  }

  function tick(): void {
    timer = undefined
    void flushAll()
    if (waiting.size > 0) wait()
  }

  /** Every user with pending rows gets a turn; those of a shard that is down when they are due, or `atOnce`. */
  async function flushAll(atOnce = false): Promise<void> {
    for (const userId of waiting.keys()) if (!apart.has(userId)) due.add(userId)
    roundMs = Math.min(longestRoundMs, Math.max(shortestRoundMs, due.size * roundMsPerUser))
    // Independent of other writers: they may hang.
    for (let starts = Math.min(usersAtOnce - writers.size, due.size); starts > 0; starts -= 1) {
      const writer = writeDue().finally(() => writers.delete(writer))
      writers.add(writer)
    }
    if (apart.size > 0 && (atOnce || performance.now() >= retryAt)) {
      retrying ??= retryApart().finally(() => {
        retrying = undefined
      })
    }
    await Promise.all([...writers, retrying])
  }

  async function writeDue(): Promise<void> {
    const before = failures
    for (const userId of due) {
      due.delete(userId)
      // Another writer has this user and may hang: newer rows get the next tick.
      if (writing.has(userId) || apart.has(userId)) continue
      const known = failures
      const written = writes
      try {
        await write(userId)
        // One that started before the last failure does not show the current state.
        if (failures > 0 && failures === known) {
          failures = 0
          log.info('model calls are recorded again')
        }
      } catch (error) {
        if (isOfShard(error, writes > written)) {
          setApart(userId)
          continue
        }
        // One failure is enough: with PostgreSQL down, each user would wait for a timeout again.
        due.clear()
        if (failures === 0) log.warn({ rows: size }, 'model calls cannot be recorded now; they are kept and retried')
        failures = Math.max(failures, before + 1)
      }
    }
    if (waiting.size > 0) wait()
  }

  function setApart(userId: string): void {
    if (apart.size === 0) {
      failedRetries = 0
      retryAt = performance.now() + retryMs(0)
      log.warn('model calls of some users cannot be recorded now: a part of the database is down; they are kept and retried')
    }
    apart.add(userId)
  }

  /** One after the other, so that a worker that does not respond blocks nothing else. */
  async function retryApart(): Promise<void> {
    failedRetries += 1
    for (const userId of apart) {
      const written = writes
      try {
        await write(userId)
        apart.delete(userId)
        failedRetries = 0
      } catch (error) {
        // The writers notice an outage of the whole database.
        if (!isOfShard(error, writes > written)) break
      }
    }
    retryAt = performance.now() + retryMs(failedRetries)
    if (apart.size === 0) log.info('model calls of all users are recorded again')
  }

  /** One batch of rows of one user; two such writes never overlap. Rejects if PostgreSQL is down; the rows are pending again then. */
  function write(userId: string): Promise<void> {
    const underWay = writing.get(userId)
    if (underWay) return underWay.done
    const rows = waiting.get(userId)
    if (!rows) return Promise.resolve()
    const some = [...rows.values().take(rowsAtOnce)]
    for (const { generation_id } of some) rows.delete(generation_id)
    if (rows.size === 0) waiting.delete(userId)
    else due.add(userId)
    const done = insert(userId, some).finally(() => writing.delete(userId))
    writing.set(userId, { rows: some, done })
    return done
  }

  async function insert(userId: string, rows: readonly CallRow[]): Promise<void> {
    let sums: Map<Month, number>
    try {
      sums = await database.asUser(userId, (sql) => insertCalls(sql, userId, rows))
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return insertApart(userId, rows, error)
      putBack(userId, rows)
      throw error
    }
    tellWritten(rows, sums)
  }

  function tellWritten(rows: readonly CallRow[], sums: Map<Month, number> | undefined): void {
    writes += 1
    const ended = rows.filter((row) => row.ended)
    size -= ended.length
    if (ended.length > 0) written(ended, sums)
  }

  /** In front of newer rows; a call that has ended meanwhile is not in progress again. */
  function putBack(userId: string, rows: readonly CallRow[]): void {
    const since = waiting.get(userId) ?? new Map<string, CallRow>()
    waiting.set(userId, new Map([...rows.map((row): [string, CallRow] => [row.generation_id, row]), ...since]))
  }

  /** A row that PostgreSQL rejects must not block the others forever. */
  async function insertApart(userId: string, rows: readonly CallRow[], error: unknown): Promise<void> {
    const [only] = rows
    if (rows.length === 1 && only) {
      log.error({ err: error, call: only }, 'the database rejected a model call; it is only in this log')
      tellWritten(rows, undefined)
      return
    }
    for (const [at, row] of rows.entries()) {
      try {
        await insert(userId, [row])
      } catch (unavailable) {
        // `insert` has put back its own row; the rest is pending too.
        putBack(userId, rows.slice(at + 1))
        throw unavailable
      }
    }
  }

  async function flush(userId: string): Promise<void> {
    // The current write may have started before the last rows came: they are in the write after it.
    await writing.get(userId)?.done
    for (let left = waiting.get(userId)?.size ?? 0; left > 0; left -= rowsAtOnce) await write(userId)
  }

  async function close(): Promise<void> {
    const end = performance.now() + closeMs
    const busy = () => waiting.size + writing.size > 0
    while (busy() && performance.now() < end) {
      await Promise.race([flushAll(true), pause(end - performance.now(), undefined, { ref: false })])
      if (busy()) await pause(closeAgainMs)
    }
    closed = true
    clearTimeout(timer)
    tellLost([...waiting.values().flatMap((rows) => rows.values()), ...writing.values().flatMap(({ rows }) => rows)])
  }

  function tellLost(rows: readonly CallRow[]): void {
    for (const call of rows) log.error({ call }, 'a model call could not be recorded; it is only in this log')
  }

  return {
    get size() {
      return size
    },
    add,
    flush,
    close,
  }
}

function retryMs(failures: number): number {
  return Math.min(slowestRetryMs, longestRoundMs * 2 ** Math.min(failures, 10))
}

/** Whether only the users of a shard are affected. A worker that does not respond at all is noticed by the time limit of a statement. */
function isOfShard(error: unknown, othersWritten: boolean): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false
  return error.reason === 'shard' || (othersWritten && error.reason === 'busy' && errorCode(error.cause) === '57014')
}
