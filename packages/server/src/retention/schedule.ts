// What grows old is let go: one job at a time, user by user, on one node at a time.

import { sweepOrphanBlobs } from '../file/orphans.ts'
import { expireIdempotencyKeys } from '../http/idempotency.ts'
import { expireModelCalls } from '../llm/ledger/retention.ts'
import { expireLogs } from '../log/retention.ts'
import type { Services } from '../services.ts'
import { purgeTombstones } from '../sync/purge.ts'

const every = 60 * 60 * 1_000

const jobs: readonly { readonly name: string; run(services: Services): Promise<void> }[] = [
  { name: 'tombstones', run: ({ database, now }) => purgeTombstones(database, now()) },
  { name: 'logs', run: ({ database, now }) => expireLogs(database, now()) },
  { name: 'calls of models', run: ({ database, now }) => expireModelCalls(database, now()) },
  { name: 'idempotency keys', run: ({ database, now }) => expireIdempotencyKeys(database, now()) },
  { name: 'orphaned files', run: (services) => sweepOrphanBlobs(services) },
]

/** Runs every job now and then; the function it returns waits for the one under way. */
export function scheduleRetention(services: Services): () => Promise<void> {
  let stopped = false
  let round = Promise.resolve()
  const timer = setInterval(() => {
    round = round.then(runAll)
  }, every)
  timer.unref()

  async function runAll(): Promise<void> {
    // The nodes share one turn: whoever takes it first works for all.
    const mine = await services.cache.add('retention', 'taken', every / 2_000).catch(() => false)
    for (const job of mine ? jobs : []) {
      if (stopped) return
      try {
        await job.run(services)
      } catch (error) {
        services.log.error({ err: error }, `retention of ${job.name} failed; it is tried again in an hour`)
      }
    }
  }

  return async () => {
    stopped = true
    clearInterval(timer)
    await round
  }
}
