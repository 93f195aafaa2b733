// The health of each part of the backend, checked at most once per second regardless of the number of requests.
import type { HealthPart, HealthPartName } from '@tandem/contract/health'

export type Probe = () => Promise<void>

export interface HealthChecks {
  look(): Promise<readonly HealthPart[]>
}

const patience = 2_000
const fresh = 1_000

export function openHealthChecks(probes: Partial<Record<HealthPartName, Probe>>, now: () => number): HealthChecks {
  let seen: { at: number; parts: Promise<readonly HealthPart[]> } | undefined
  return {
    look() {
      // Not the time of day: if the clock was set back, a result would be reused until it has caught up.
      const at = performance.now()
      if (!seen || at - seen.at > fresh) {
        seen = { at, parts: Promise.all(Object.entries(probes).map(([name, probe]) => lookAt(name as HealthPartName, probe, now))) }
      }
      return seen.parts
    },
  }
}

async function lookAt(name: HealthPartName, probe: Probe, now: () => number): Promise<HealthPart> {
  const started = performance.now()
  const seen = { name, checked_at: new Date(now()).toISOString() }
  try {
    await within(patience, probe())
    return { ...seen, status: 'ok', latency_ms: Math.round(performance.now() - started) }
  } catch (error) {
    const detail = error instanceof Error && 'code' in error ? String(error.code) : 'does not respond'
    return { ...seen, status: 'failing', detail: detail.slice(0, 200) || 'does not respond' }
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new Error('does not respond')), ms)
  try {
    return await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}
