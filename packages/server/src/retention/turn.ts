// The nodes share one turn in the cache: the node that takes it first works for all. It is renewed for as long as the work takes.
import { randomUUID } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'

export interface Turn {
  /** Aborted if another node has the turn by now, because the cache lost ours. */
  readonly lost: AbortSignal
  /** Stops renewing it. It is not given back: no other node starts the same work soon after. */
  end(): void
}

const key = 'retention'
/** Longer than an outage of the cache should last, shorter than the time between two rounds. */
export const turnMs = 30 * 60 * 1_000
export const renewMs = turnMs / 3

/** Undefined if another node has it, or the cache is down. */
export async function takeTurn(cache: Pick<Cache, 'add' | 'get' | 'set'>): Promise<Turn | undefined> {
  const mine = randomUUID()
  if (!(await cache.add(key, mine, turnMs / 1_000).catch(() => false))) return undefined
  const lost = new AbortController()

  async function renew(): Promise<void> {
    const holder = await cache.get(key)
    if (holder === mine) await cache.set(key, mine, turnMs / 1_000)
    else if (holder !== undefined || !(await cache.add(key, mine, turnMs / 1_000))) end(lost)
  }

  // While the cache is down no node can take the turn; the next attempt renews it.
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs).unref()
  function end(controller?: AbortController): void {
    clearInterval(timer)
    controller?.abort()
  }
  return { lost: lost.signal, end: () => end() }
}
