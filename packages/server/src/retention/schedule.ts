// Deletes old data: one job at a time, user by user, on one node at a time.

import { finishDeletions } from '../account/deletion.ts'
import { sweepOrphanBlobs } from '../file/orphans.ts'
import { expireIdempotencyKeys } from '../http/idempotency.ts'
import { expireModelCalls } from '../llm/ledger/retention.ts'
import { expireLogs } from '../log/retention.ts'
import type { Services } from '../services.ts'
import { purgeTombstones } from '../sync/purge.ts'
import { exportHistory } from './history.ts'
import { takeTurn } from './turn.ts'

/** Soon after the start, so that a node that is restarted every day still runs it; not immediately, when devices reconnect. */
export const firstRunMs = 3 * 60 * 1_000
export const runIntervalMs = 60 * 60 * 1_000

/** Checks `signal` between users and between blobs: a node that stops waits for a statement, not for the whole job. */
export interface RetentionJob {
  readonly name: string
  run(services: Services, signal: AbortSignal): Promise<void>
}

const allJobs: readonly RetentionJob[] = [
  { name: 'deleted accounts', run: (services, signal) => finishDeletions(services, signal) },
  { name: 'tombstones', run: ({ database, now }, signal) => purgeTombstones(database, now(), signal) },
  { name: 'history', run: (services, signal) => exportHistory(services, services.config.history_days, signal) },
  { name: 'logs', run: ({ database, now }, signal) => expireLogs(database, now(), signal) },
  { name: 'model calls', run: ({ database, now }, signal) => expireModelCalls(database, now(), { signal }) },
  { name: 'idempotency keys', run: ({ database, now }, signal) => expireIdempotencyKeys(database, now(), signal) },
  { name: 'orphaned files', run: (services, signal) => sweepOrphanBlobs(services, signal) },
]

/** Runs every job periodically; the returned function stops the current one and waits for it. */
export function scheduleRetention(services: Services, jobs: readonly RetentionJob[] = allJobs): () => Promise<void> {
  const stop = new AbortController()
  let round = Promise.resolve()
  let timer = setTimeout(next, firstRunMs).unref()

  function next(): void {
    timer = setTimeout(next, runIntervalMs).unref()
    round = round.then(runAll)
  }

  async function runAll(): Promise<void> {
    const turn = await takeTurn(services.cache)
    if (!turn) return
    const signal = AbortSignal.any([stop.signal, turn.lost])
    try {
      for (const job of jobs) {
        if (signal.aborted) return
        try {
          await job.run(services, signal)
        } catch (error) {
          services.log.error({ err: error }, `retention of ${job.name} failed; it will be retried in an hour`)
        }
      }
    } finally {
      turn.end()
    }
  }

  return async () => {
    stop.abort()
    clearTimeout(timer)
    await round
  }
}
