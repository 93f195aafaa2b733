// For tests: calls to meter, and caches with simulated outages.
import { type Cache, CacheUnavailable } from '../../src/cache/cache.ts'
import type { MeterLimits } from '../../src/config/llm/limits.ts'
import { newId } from '../../src/http/id.ts'
import type { CallOutcome, MeteredCall, Reservation, ReservationResult } from '../../src/llm/meter.ts'
import { noon } from './test-calls.ts'

export const noLimits: MeterLimits = { requests_per_minute: 0, tokens_per_minute: 0, tokens_per_month: 0, calls_in_flight: 16 }

export function meteredCall(user_id: string, changes: Partial<MeteredCall> = {}): MeteredCall {
  return {
    ...{ generation_id: newId(noon), user_id, device_id: 'laptop', operation: 'chat_completions', model: 'demo/scripted' },
    ...{ estimated_input_tokens: 100, max_output_tokens: 100 },
    ...changes,
  }
}

export function outcome(tokens: { input?: number; output?: number } = {}, changes: Partial<CallOutcome> = {}): CallOutcome {
  return {
    ...{ status: 200, model: 'demo/scripted', aborted: false, attempts: 1, first_byte_ms: 5, duration_ms: 10 },
    usage: { input_tokens: tokens.input ?? 100, cached_input_tokens: 0, output_tokens: tokens.output ?? 0, estimated: false },
    ...changes,
  }
}

export function granted(reserved: ReservationResult): Reservation {
  if (!reserved.ok) throw new Error(`refused: ${reserved.code}: ${reserved.detail}`)
  return reserved.reservation
}

/** A cache that fails while `away`; rate limits work in-process, as in the real ones. */
export function unreliableCache(cache: Cache): Cache & { away: boolean } {
  const guard = <Args extends unknown[], T>(run: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      if (faulty.away) throw new CacheUnavailable('the cache is away (test)')
      return run(...args)
    }
  }
  const faulty = {
    ...cache,
    away: false,
    get: guard(cache.get),
    getMany: guard(cache.getMany),
    set: guard(cache.set),
    add: guard(cache.add),
    delete: guard(cache.delete),
  }
  return faulty
}
