// How often a tool may be called: a sliding window for each agent and tool.
import type { ToolPolicy } from '@tandem/contract/tool'
import type { Clock } from '../clock/clock.ts'

export interface Rates {
  /** Counts the call, or says in how many milliseconds one will be free. */
  take(
    agent_id: string,
    tool: string,
    limit: ToolPolicy['rate_limit'],
  ): { readonly ok: true } | { readonly ok: false; readonly wait_ms: number }
  /** The last call that was counted is not made after all. */
  giveBack(agent_id: string, tool: string): void
}

/** When calls were made since `since`, by the wall clock, oldest first. */
export type EarlierCalls = (agent_id: string, tool: string, since: number) => readonly number[]

/** No window is longer. */
const longest_ms = 86_400 * 1_000

/** `earlier` knows the calls from before this start: a limit that a restart would lift were none. */
export function openRates(clock: Clock, earlier: EarlierCalls = () => []): Rates {
  const calls = new Map<string, number[]>()

  /** Wall-clock times in our own time; one from the future, by a clock that was set back, counts as now. */
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
    giveBack(agent_id, tool) {
      const key = `${agent_id}\n${tool}`
      calls.set(key, (calls.get(key) ?? []).slice(0, -1))
    },
  }
}
