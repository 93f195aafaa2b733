// A postgres.js pool that is replaced whenever one of its connections is lost (see wire.ts for the reason).
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import type { DatabaseAddress } from '../config/database-url.ts'
import { openPostgresSocket } from './postgres-socket.ts'
import { asUnavailable, DatabaseUnavailable, isConnectionLoss, isOutOfConnections } from './unavailable.ts'

export interface PoolOptions {
  readonly address: DatabaseAddress
  readonly password: string
  readonly max: number
  /** Settings of every session; not sent to a transaction pooler, which would reject them. */
  readonly session: Readonly<Record<string, string>>
  /** Whether a transaction may take longer than a minute: migrations of the owner may, a request may not. */
  readonly patient: boolean
  readonly log: (line: string) => void
  /** A connection was lost: the next ones may reach another server. */
  readonly onLost?: () => void
}

export interface Pool {
  /** The current connections. Call it for every statement. */
  readonly sql: postgres.Sql
  /** One transaction; `work` starts within `waitMilliseconds` or not at all. */
  transaction<T>(work: (sql: postgres.TransactionSql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const connectMilliseconds = 5_000
/** How long a request waits for a free connection. */
const waitMilliseconds = 5_000
/** How often it tries again while PostgreSQL has no room for another connection. */
const retryMilliseconds = 50
/** Longer than the statement timeout, so that only a database that hangs is disconnected. */
const transactionMilliseconds = 60_000
const quietMilliseconds = 5_000

/** How long healthy transactions may finish after another connection was lost: longer than the statement timeout. */
const drainMilliseconds = 12_000

interface Generation {
  readonly sql: postgres.Sql
  /** Rejects when every connection of this generation is closed. */
  readonly gone: Promise<never>
  /** Transactions in progress. */
  enter(): void
  leave(): void
  retire(): void
}

export function openPool(options: PoolOptions): Pool {
  const retiring = new Set<Promise<void>>()
  let current: Generation | undefined
  let closed = false

  /** In an outage every request loses a connection: logged only occasionally. */
  let toldAt = Number.NEGATIVE_INFINITY
  function tellLoss(): void {
    if (performance.now() - toldAt < quietMilliseconds) return
    toldAt = performance.now()
    options.log('a database connection was lost; opening new ones')
  }

  function present(): Generation {
    current ??= makeGeneration()
    return current
  }

  function makeGeneration(): Generation {
    const { promise: gone, reject } = Promise.withResolvers<never>()
    gone.catch(() => undefined)
    const sql = makeSql(options, () => generation.retire())
    let inside = 0
    const { promise: empty, resolve: markEmpty } = Promise.withResolvers<void>()
    const generation: Generation = {
      sql,
      gone,
      enter() {
        inside += 1
      },
      leave() {
        inside -= 1
        if (inside === 0 && current !== generation) markEmpty()
      },
      retire() {
        if (current !== generation) return
        current = undefined
        if (inside === 0) markEmpty()
        if (!closed) {
          tellLoss()
          options.onLost?.()
        }
        const ending = withinTime(empty, drainMilliseconds)
          .then(() => sql.end({ timeout: options.patient ? 5 : 0 }))
          .finally(() => {
            retiring.delete(ending)
            reject(new DatabaseUnavailable('connection', 'the connection to the database was lost'))
          })
        retiring.add(ending)
      },
    }
    return generation
  }

  async function attempt<T>(work: (sql: postgres.TransactionSql) => Promise<T>, until: number): Promise<T> {
    if (closed) throw new DatabaseUnavailable('connection', 'the database was closed')
    const generation = present()
    const patience = startPatience(generation, options.patient, until)
    generation.enter()
    try {
      // postgres.js unwraps arrays of promises from its result; boxing keeps ours intact.
      const run = generation.sql.begin('isolation level read committed', async (sql) => {
        patience.begun()
        try {
          return { result: await work(whileOpen(sql, patience)) }
        } catch (error) {
          // The rollback that follows would wait forever on a lost connection.
          if (isConnectionLoss(error)) patience.giveUp(error)
          throw error
        } finally {
          patience.shut()
        }
      })
      run.catch(() => undefined)
      const box = await Promise.race([run, generation.gone, patience.over])
      return box.result
    } catch (error) {
      // Also for a primary that became a standby: only new connections reach the new primary.
      if (isConnectionLoss(error)) generation.retire()
      throw asUnavailable(error)
    } finally {
      patience.end()
      generation.leave()
    }
  }

  return {
    get sql() {
      return present().sql
    },
    async transaction(work) {
      for (const until = performance.now() + waitMilliseconds; ; ) {
        try {
          return await attempt(work, until)
        } catch (error) {
          // `work` was not started. A connection of this pool may become free.
          if (!isOutOfConnections(error) || performance.now() + retryMilliseconds > until) throw error
          await pause(retryMilliseconds)
        }
      }
    },
    async close() {
      closed = true
      const last = current
      current = undefined
      await Promise.all([last?.sql.end({ timeout: 5 }), ...retiring])
    },
  }
}

function makeSql(options: PoolOptions, onLost: () => void): postgres.Sql {
  const { address } = options
  const settings = {
    host: address.host,
    port: address.port,
    user: address.user,
    password: options.password,
    database: address.database,
    max: options.max,
    connect_timeout: connectMilliseconds / 1000,
    // Its timer is stopped only by `close`, which a lost wire never emits: it would keep a stopped server alive for an hour.
    max_lifetime: null,
    prepare: !address.pooled,
    onnotice: (notice: postgres.Notice) => options.log(`PostgreSQL notice: ${notice.message ?? ''}`),
    connection: { application_name: 'tandem', ...(address.pooled ? {} : options.session) },
    /** Includes TLS; postgres.js gets a stream that is ready to use. */
    socket: async () => {
      try {
        return await openPostgresSocket(address, connectMilliseconds, onLost)
      } catch (error) {
        // postgres.js never frees the slot of a connection whose socket could not be created.
        setImmediate(onLost)
        throw error
      }
    },
  }
  return postgres(settings)
}

interface Patience {
  readonly over: Promise<never>
  /** No more statements: the work is done, or was abandoned. */
  readonly isShut: boolean
  begun(): void
  giveUp(error: unknown): void
  shut(): void
  end(): void
}

/** Two deadlines of a transaction: `until` for its start, then one for its end. */
function startPatience(generation: Generation, patient: boolean, until: number): Patience {
  const { promise: over, reject } = Promise.withResolvers<never>()
  over.catch(() => undefined)
  let isShut = false
  const giveUp = (error: unknown) => {
    isShut = true
    reject(error)
  }
  const late = (message: string) => giveUp(new DatabaseUnavailable('busy', message))
  let timer = setTimeout(late, until - performance.now(), 'no database connection became free in time')
  return {
    over,
    get isShut() {
      return isShut
    },
    begun() {
      clearTimeout(timer)
      if (isShut) throw new DatabaseUnavailable('busy', 'the transaction started too late')
      if (patient) return
      timer = setTimeout(() => {
        late('the transaction took too long')
        generation.retire()
      }, transactionMilliseconds)
    },
    giveUp,
    shut() {
      isShut = true
    },
    end() {
      isShut = true
      clearTimeout(timer)
    },
  }
}

/** Refuses statements after the end of the transaction: its connection is already used by others. */
function whileOpen(sql: postgres.TransactionSql, patience: Patience): postgres.TransactionSql {
  const check = () => {
    if (patience.isShut) throw new Error('a statement came after the end of its transaction; await every statement')
  }
  return new Proxy(sql, {
    apply(target, self, args) {
      check()
      return Reflect.apply(target, self, args)
    },
    get(target, name) {
      check()
      return Reflect.get(target, name)
    },
  })
}

async function withinTime(promise: Promise<void>, milliseconds: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([promise, late])
  clearTimeout(timer)
}
