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
}

export function openRates(clock: Clock): Rates {
  const calls = new Map<string, number[]>()
  return {
    take(agent_id, tool, { calls: most, per_seconds }) {
      const key = `${agent_id}\n${tool}`
      const now = clock.elapsed()
      const window = per_seconds * 1_000
      const recent = (calls.get(key) ?? []).filter((at) => at > now - window)
      const oldest = recent[recent.length - most]
      if (oldest !== undefined) {
        calls.set(key, recent)
        return { ok: false, wait_ms: Math.ceil(oldest + window - now) }
      }
      calls.set(key, [...recent, now])
      return { ok: true }
    },
  }
}
