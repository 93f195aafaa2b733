import type { RunStep } from '@tandem/contract/run'
import { timestamp } from '../clock/clock.ts'
import type { JournaledStep } from './recorded-step.ts'

type TimedStep = Pick<RunStep, 'kind' | 'ts'> & { readonly reason?: string | null }

/**
 * How long a run was running, in milliseconds: not while it waited for a person, or Tandem was closed. Pauses for one of the reasons in
 * `counted` are part of it.
 */
export function activeTime(steps: readonly TimedStep[], now: number, counted: readonly string[] = []): number {
  let [total, since]: [number, number | null] = [0, null]
  for (const { kind, ts, reason } of steps) {
    if (kind === 'run.started' || kind === 'run.resumed') since ??= Date.parse(ts)
    else if (since !== null && stops.has(kind) && !(kind === 'run.paused' && counted.includes(reason ?? ''))) {
      total += Math.max(0, Date.parse(ts) - since)
      since = null
    }
  }
  return since === null ? total : total + Math.max(0, now - since)
}

/** A run that was killed stopped then, not when the next process noticed it. */
export function timedStep({ step, here }: JournaledStep): TimedStep {
  const ts = here.stopped_at === undefined ? step.ts : timestamp(here.stopped_at)
  return { kind: step.kind, ts, reason: step.kind === 'run.paused' ? step.reason : null }
}

const stops: ReadonlySet<string> = new Set(['run.paused', 'run.completed', 'run.failed', 'run.canceled', 'checkpoint.restored'])
