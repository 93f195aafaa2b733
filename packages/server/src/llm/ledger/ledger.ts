// Every call of a model becomes a row in PostgreSQL, once, and nobody waits for it.
// - Rows gather in memory and are written once a second: all of a user in one transaction, for no statement may touch two, and a few users at
//   a time, which share one flush of the disk. The slower the disk, the more rows a transaction has: what is written keeps up with what comes.
//   A node that is killed takes with it what it had not written: a second of calls, and those that were still under way.
// - While PostgreSQL is down rows are kept and tried again. They are never thrown away for want of room: the meter lets no call in that
//   could not be kept any more (`capacity`), because a call that is served and not counted is worse than one that is refused.
// - A commit that was not heard of is sent again; the key (user_id, generation_id) makes one row of it.
// - What the last attempt at shutdown could not write goes to the log, row by row: there it can still be found.
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../database/database.ts'
import type { Services } from '../../services.ts'
import type { Month } from './month.ts'
import type { CallRow } from './row.ts'
import { insertCalls } from './store.ts'

export interface Ledger {
  /** Rows that are not in PostgreSQL yet. */
  readonly size: number
  /** Takes a row; never throws. */
  add(row: CallRow): void
  /** When it resolves, every row of this user taken so far is in PostgreSQL. Rejects while PostgreSQL is down. */
  flush(userId: string): Promise<void>
  close(): Promise<void>
}

/** Told of rows that are in PostgreSQL, with the sums of their months; `undefined` for rows that PostgreSQL refuses for ever. */
export type Written = (rows: readonly CallRow[], sums: ReadonlyMap<Month, number> | undefined) => void

/**
 * How many rows a node keeps while PostgreSQL is down or its disk stands still: some 15 MB. A disk shared with others was seen to hold a commit
 * back for ten seconds, and a node serves thousands of calls in each.
 */
export const capacity = 50_000

const flushMs = 1_000
/** Of one statement: far below the time it may take. */
const rowsAtOnce = 2_000
const usersAtOnce = 4
const slowestRetryMs = 5_000
const closeMs = 5_000
const closeAgainMs = 50

export function openLedger({ database, log }: Pick<Services, 'database' | 'log'>, written: Written): Ledger {
  const waiting = new Map<string, CallRow[]>()
  const writing = new Map<string, { readonly rows: readonly CallRow[]; readonly done: Promise<void> }>()
  /** Whose turn it is. A user whose commit stands still holds up one writer, not the others. */
  const due = new Set<string>()
  const writers = new Set<Promise<void>>()
  let size = 0
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let closed = false

  function add(row: CallRow): void {
    if (closed) {
      tellLost([row])
      return
    }
    const rows = waiting.get(row.user_id)
    if (rows) rows.push(row)
    else waiting.set(row.user_id, [row])
    size += 1
    if (timer === undefined) wait()
  }

  function wait(): void {
    if (timer !== undefined || closed) return
    timer = setTimeout(tick, Math.min(slowestRetryMs, flushMs * 2 ** Math.min(failures, 10))).unref()
  }

  function tick(): void {
    timer = undefined
    void flushAll()
    if (waiting.size > 0) wait()
  }

  /** Everybody who waits now has a turn. */
  async function flushAll(): Promise<void> {
    for (const userId of waiting.keys()) due.add(userId)
    while (writers.size < Math.min(usersAtOnce, due.size)) {
      const writer = writeDue().finally(() => writers.delete(writer))
      writers.add(writer)
    }
    await Promise.all(writers)
  }

  async function writeDue(): Promise<void> {
    const before = failures
    for (const userId of due) {
      due.delete(userId)
      // Another writer has this user and may stand still: what came since has the next tick.
      if (writing.has(userId)) continue
      try {
        await write(userId)
        if (failures > 0) log.info('calls of models are written again')
        failures = 0
      } catch {
        // One failure is enough: with PostgreSQL down each user would wait for it anew.
        due.clear()
        if (failures === 0) log.warn({ rows: size }, 'calls of models can not be written now; they are kept and tried again')
        failures = Math.max(failures, before + 1)
      }
    }
    if (waiting.size > 0) wait()
  }

  /** As many rows of one user as go at once; two such writes never overlap. Rejects when PostgreSQL is down; the rows wait again then. */
  function write(userId: string): Promise<void> {
    const underWay = writing.get(userId)
    if (underWay) return underWay.done
    const rows = waiting.get(userId)
    if (!rows) return Promise.resolve()
    const some = rows.splice(0, rowsAtOnce)
    if (rows.length === 0) waiting.delete(userId)
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
      waiting.set(userId, [...rows, ...(waiting.get(userId) ?? [])])
      throw error
    }
    size -= rows.length
    written(rows, sums)
  }

  /** A row that PostgreSQL refuses must not hold up the others for ever. */
  async function insertApart(userId: string, rows: readonly CallRow[], error: unknown): Promise<void> {
    const [only] = rows
    if (rows.length === 1 && only) {
      log.error({ err: error, call: only }, 'a call of a model was refused by the database and is only in this log')
      size -= 1
      written(rows, undefined)
      return
    }
    for (const [at, row] of rows.entries()) {
      try {
        await insert(userId, [row])
      } catch (unavailable) {
        // `insert` has put back its own row; the rest waits behind it.
        waiting.set(userId, [...(waiting.get(userId) ?? []), ...rows.slice(at + 1)])
        throw unavailable
      }
    }
  }

  async function flush(userId: string): Promise<void> {
    // What is being written now may have begun before the last rows came: those have the write after it.
    await writing.get(userId)?.done
    for (let left = waiting.get(userId)?.length ?? 0; left > 0; left -= rowsAtOnce) await write(userId)
  }

  async function close(): Promise<void> {
    const end = performance.now() + closeMs
    while (size > 0 && performance.now() < end) {
      await Promise.race([flushAll(), pause(end - performance.now(), undefined, { ref: false })])
      if (size > 0) await pause(closeAgainMs)
    }
    closed = true
    clearTimeout(timer)
    tellLost([...waiting.values(), ...[...writing.values()].map(({ rows }) => rows)].flat())
  }

  function tellLost(rows: readonly CallRow[]): void {
    for (const call of rows) log.error({ call }, 'a call of a model could not be written and is only in this log')
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
