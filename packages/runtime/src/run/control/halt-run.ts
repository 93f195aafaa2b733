// Pauses and cancels runs.
import { isTerminalRunState, runTransitions } from '@tandem/contract/run'
import { transition } from '@tandem/contract/transition'
import { type Outcome, rejection } from '../../feature/outcome.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { cancelRun, ended } from '../loop.ts'
import type { StopKind } from '../stops.ts'
import type { ControlPorts } from './live-runs.ts'
import type { Resuming } from './resume-run.ts'

type Halt = (run_id: string, kind: StopKind, reason: string | null) => Promise<Outcome<RunRecord>>

export function openHalting(
  { ports, live }: Pick<ControlPorts, 'ports' | 'live'>,
  { resume, pauseAgain, waitForPerson }: Pick<Resuming, 'resume' | 'pauseAgain' | 'waitForPerson'>,
): Halt {
  const { store, journal } = ports

  async function halt(run_id: string, kind: StopKind, reason: string | null): Promise<Outcome<RunRecord>> {
    const guarded = live.guard(run_id)
    if (!guarded.ok) return guarded
    const run = guarded.value
    const isCarried = run.workflow_run_id !== null && run.state === 'paused' && run.pause_reason !== 'user'
    const continues = run.retry_at !== null || run.pause_reason === 'child' || isCarried
    if (kind === 'pause' && continues) return { ok: true, value: waitForPerson(run) }
    const next = transition(runTransitions, run.state, kind === 'cancel' ? 'cancel' : 'pause')
    if (!next.ok) return rejection('transition_refused', next.message)
    if (kind === 'cancel' && run.workflow_run_id !== null) return await cancelCarrier(run, reason)
    const active = live.get(run_id)
    if (active) {
      active.stops.stop(kind, reason)
      await active.done
    } else {
      const activeRun = live.activeRunOf(run)
      cancelRun(ports, activeRun, reason)
      await ended(ports, activeRun)
    }
    const now = journal.run(run_id)
    if (!now) return rejection('not_found', `there is no run ${run_id}`)
    // It paused by itself before the request reached it, or was answered since: a cancel must not be lost.
    if (kind === 'cancel' && !isTerminalRunState(now.state)) return await halt(run_id, kind, reason)
    return { ok: true, value: now }
  }

  /** What it has done may have to be taken back first. */
  async function cancelCarrier(run: RunRecord, reason: string | null): Promise<Outcome<RunRecord>> {
    const { run_id } = run
    const carrier = ports.carrierOf(run)
    store.transaction(() => {
      carrier?.cancel(reason)
      // If this process ends before it has resumed the run, the next one does.
      if (!live.has(run_id)) pauseAgain(run, 'workflow', { retry_at: store.clock.now() })
    })
    const resumed = live.has(run_id) ? null : resume(run_id, undefined, { by_itself: true })
    if (resumed && !resumed.ok) return resumed
    carrier?.wake()
    await live.get(run_id)?.done
    const now = journal.run(run_id)
    return now ? { ok: true, value: now } : rejection('not_found', `there is no run ${run_id}`)
  }

  return halt
}
