// Rate limits of tools: a sliding window for each agent and tool.
import type { ToolPolicy } from '@tandem/contract/tool'
import type { Clock } from '../clock/clock.ts'

export interface Rates {
  /** Counts the call, or returns the number of milliseconds until one is possible. */
  take(
    agent_id: string,
    tool: string,
    limit: ToolPolicy['rate_limit'],
  ): { readonly ok: true } | { readonly ok: false; readonly wait_ms: number }
  /** The last counted call was not made. */
  release(agent_id: string, tool: string): void
}

/** The times of the calls since `since`, by the wall clock, oldest first. */
export type EarlierCalls = (agent_id: string, tool: string, since: number) => readonly number[]

/** The maximum window. */
const longest_ms = 86_400 * 1_000

/** `earlier` returns calls from before this start, so that a restart does not reset a limit. */
export function openRates(clock: Clock, earlier: EarlierCalls = () => []): Rates {
  const calls = new Map<string, number[]>()

  /** Converts wall-clock times to monotonic time; a time in the future, after the clock was set back, counts as now. */
  function before(agent_id: string, tool: string): number[] {
    const [wall, now] = [clock.now(), clock.elapsed()]
    return earlier(agent_id, tool, wall - longest_ms).map((at) => now - Math.max(0, wall - at))
  }

  return {
    take(agent_id, tool, { calls: most, per_seconds }) {
      const key = `${agent_id}\n${tool}`
      const now = clock.elapsed()
      const window = per_seconds * 1_000
      const recent = (calls.get(key) ?? before(agent_id, tool)).filter((at) => at > now - window)
      const oldest = recent[recent.length - most]
      if (oldest !== undefined) {
        calls.set(key, recent)
        return { ok: false, wait_ms: Math.ceil(oldest + window - now) }
      }
      calls.set(key, [...recent, now])
      return { ok: true }
    },
    release(agent_id, tool) {
      const key = `${agent_id}\n${tool}`
      calls.set(key, (calls.get(key) ?? []).slice(0, -1))
    },
  }
}
