// WORKERS: several processes of this server that share one port. The only file that may start processes of our own program; PostgreSQL is
// started by another one. A worker runs the same command again, and a worker that dies is replaced.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import { type Closers, closeAll } from './closers.ts'
import type { Config } from './config/config.ts'
import type { DatabaseAddress } from './config/database-url.ts'
import type { Server } from './serve.ts'
import type { JoinMetrics } from './services.ts'
import { metricsOfWorkers, relayMetrics } from './worker-metrics.ts'

/** Set only by `superviseWorkers`: where the database of the first process is. An embedded one has only one owner. */
const addressVariable = 'TANDEM_WORKER_DATABASE'

/** Undefined in the first process. */
export function workerDatabase(): DatabaseAddress | undefined {
  const text = process.env[addressVariable]
  return cluster.isWorker && text !== undefined ? JSON.parse(text) : undefined
}

export const isWorker: boolean = cluster.isWorker

/** Undefined in the first process, and without workers. */
export function joinMetricsOfNode(): JoinMetrics | undefined {
  return cluster.isWorker ? metricsOfWorkers(process) : undefined
}

/** Requests get 15 s to finish; then the rest is closed. */
const stopMs = 30_000
/** A worker that lived this long was not caught in a loop of crashes. */
const steadyMs = 60_000

/** How long to wait before a worker is replaced, after this many crashes in a row. */
export function restartDelay(crashes: number): number {
  return crashes === 0 ? 0 : Math.min(30_000, 250 * 2 ** Math.min(crashes - 1, 10))
}

export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed'
}

/** Resolves when all workers listen; rejects with WorkerFailed if one of them cannot start. */
export async function superviseWorkers(
  config: Config,
  log: FastifyBaseLogger,
  address: DatabaseAddress,
  closers: Closers,
  now: () => number = () => performance.now(),
): Promise<Server> {
  let stopping = false
  let crashes = 0
  const timers = new Set<NodeJS.Timeout>()

  function start(): Worker {
    const worker = cluster.fork({ [addressVariable]: JSON.stringify(address) })
    const born = now()
    worker.once('exit', (code, signal) => {
      if (stopping) return
      crashes = now() - born > steadyMs ? 1 : crashes + 1
      const delay = restartDelay(crashes)
      log.error({ code, signal, delay_ms: delay }, 'a worker process ended; it will be replaced')
      const timer = setTimeout(() => {
        timers.delete(timer)
        start()
      }, delay)
      timers.add(timer)
    })
    return worker
  }

  const relay = relayMetrics(alive)
  cluster.on('message', relay)

  async function stop(): Promise<void> {
    stopping = true
    cluster.off('message', relay)
    for (const timer of timers) clearTimeout(timer)
    await Promise.all(alive().map(end))
    await closeAll(closers)
  }

  const first = Array.from({ length: config.workers }, start)
  try {
    const [url = ''] = await Promise.all(first.map(listening))
    crashes = 0
    return { url: url.replace('//null:', `//${config.host}:`), config, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function alive(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? [])
}

/** Its address, when it listens. */
async function listening(worker: Worker): Promise<string> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const onExit = () => reject(new WorkerFailed('a worker process could not start; its own messages explain why'))
  worker.once('exit', onExit)
  const [{ address, port }] = await Promise.race([once(worker, 'listening'), failed])
  worker.off('exit', onExit)
  return `http://${address}:${port}`
}

async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const gone = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  const late = setTimeout(() => worker.process.kill('SIGKILL'), stopMs)
  await gone
  clearTimeout(late)
}
