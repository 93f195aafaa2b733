import type { RunStep } from '@tandem/contract/run'

type TimedStep = Pick<RunStep, 'kind' | 'ts'>

/** How long a run was running, in milliseconds: not while it waited for a person, or Tandem was closed. */
export function activeTime(steps: readonly TimedStep[], now: number): number {
  let [total, since]: [number, number | null] = [0, null]
  for (const { kind, ts } of steps) {
    if (kind === 'run.started' || kind === 'run.resumed') since ??= Date.parse(ts)
    else if (since !== null && stops.has(kind)) {
      total += Math.max(0, Date.parse(ts) - since)
      since = null
    }
  }
  return since === null ? total : total + Math.max(0, now - since)
}

const stops: ReadonlySet<string> = new Set(['run.paused', 'run.completed', 'run.failed', 'run.canceled', 'checkpoint.restored'])
