// Waiting runs: the call and its run are paused by one transaction, and the end of the wait is recorded by another. In between nothing is
// kept in memory: no promise, no timer, no process.
import { type PauseReason, waitSubjectNames } from '@tandem/contract/run'
import type { Wait, WaitEnd, Waiting } from '../call/wait.ts'
import { timestamp } from '../clock/clock.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { WaitRecord } from '../journal/waits.ts'
import type { ActiveRun } from './active-run.ts'
import type { LoopPorts } from './ports.ts'
import type { OpenCall } from './run-progress.ts'

/** Approvals and questions have their own steps for their start and end. */
function hasOwnSteps(wait: Pick<Wait, 'for'>): boolean {
  return wait.for === 'approval' || wait.for === 'question'
}

/** Starts the wait of the call, and pauses its run, unless that has other calls that go on. */
export function beginWait(
  { store, journal, crashPoint }: LoopPorts,
  activeRun: ActiveRun,
  { call_id, tool }: Pick<OpenCall, 'call_id' | 'tool'>,
  { wait, begin }: Pick<Waiting, 'wait' | 'begin'>,
): 'paused' {
  store.transaction(() => {
    begin()
    const { for: subject, id, until = null } = wait
    const { wait_id } = journal.waits.begin({ run: activeRun.run().no, call_id, tool, for: subject, id, until })
    if (!hasOwnSteps(wait)) {
      const at = until === null ? null : timestamp(until)
      const subject_id = subject === 'time' ? null : id
      activeRun.append({ kind: 'wait.started', wait_id, for: subject, subject_id, until: at }, { call_id, tool })
    }
    if (!activeRun.isCarrier) activeRun.append({ kind: 'run.paused', reason: subject })
  })
  crashPoint(subjectPoints[wait.for])
  return 'paused'
}

const subjectPoints = {
  approval: 'approval_requested',
  question: 'question_asked',
  child: 'wait_started',
  workflow: 'wait_started',
  time: 'wait_started',
} as const satisfies Record<Wait['for'], string>

type WaitPorts = Pick<LoopPorts, 'store' | 'journal' | 'crashPoint'>

/** Ends all waits for one subject; returns whether there were any. Calling it again ends nothing. */
export function endWaitsFor(ports: WaitPorts, subject: Pick<Wait, 'for' | 'id'>, end: WaitEnd): boolean {
  return ports.store.transaction(() => ports.journal.waits.openFor(subject).filter((wait) => endWait(ports, wait, end)).length > 0)
}

/** Waits whose time has come. A wait for a time is completed; any other has timed out. */
export function endDueWaits(ports: WaitPorts & Pick<LoopPorts, 'log'>): void {
  const { store, journal, log } = ports
  for (const wait of journal.waits.due(store.clock.now())) {
    const end: WaitEnd = wait.for === 'time' ? { outcome: 'completed', value: null } : { outcome: 'timed_out' }
    try {
      store.transaction(() => endWait(ports, wait, end))
    } catch (error) {
      log(`wait ${wait.wait_id} could not be ended: ${String(error)}`)
    }
  }
}

function endWait({ store, journal, crashPoint }: WaitPorts, wait: WaitRecord, end: WaitEnd): boolean {
  const value = end.outcome === 'completed' ? end.value : null
  if (!journal.waits.end(wait.wait_id, end.outcome, value)) return false
  tellEnd({ journal }, wait, end.outcome)
  if (!hasOwnSteps(wait)) store.afterCommit(() => crashPoint('wait_ended'))
  return true
}

/** The run ends or is restored: it no longer waits for anything. Called in the transaction that records it. */
export function cancelWaits(ports: CancelPorts, run: Pick<RunRecord, 'no'>): void {
  for (const wait of ports.journal.waits.open(run.no)) cancelWait(ports, wait)
}

/** One call of the run no longer waits for anything. */
export function cancelWaitsOf(ports: CancelPorts, run: Pick<RunRecord, 'no'>, call_id: string): void {
  for (const wait of ports.journal.waits.open(run.no)) if (wait.call_id === call_id) cancelWait(ports, wait)
}

type CancelPorts = Pick<LoopPorts, 'journal' | 'registry' | 'log'>

function cancelWait({ journal, registry, log }: CancelPorts, wait: WaitRecord): void {
  journal.waits.end(wait.wait_id, 'canceled')
  tellEnd({ journal }, wait, 'canceled')
  // The tool itself does not wait for an approval.
  if (wait.for === 'approval') return
  try {
    registry.get(wait.tool)?.abandoned?.(waitOf(wait))
  } catch (error) {
    // An error of a tool must not prevent a run from being canceled.
    log(`${wait.tool}: what call ${wait.call_id} waited for could not be ended: ${String(error)}`)
  }
}

function tellEnd({ journal }: Pick<WaitPorts, 'journal'>, wait: WaitRecord, outcome: NonNullable<WaitRecord['outcome']>): void {
  if (hasOwnSteps(wait)) return
  const { wait_id, call_id, tool } = wait
  journal.append(journal.runNo(wait.run).run_id, { kind: 'wait.ended', wait_id, outcome }, { call_id, tool })
}

export function waitOf({ for: subject, id, until }: WaitRecord): Wait {
  if (subject === 'time') return { for: subject, id, until: until ?? 0 }
  return subject === 'child' || subject === 'workflow' ? { for: subject, id, ...(until === null ? {} : { until }) } : { for: subject, id }
}

/** How the wait of a call ended; null while it is pending, if it was canceled, and for approvals, after which the call is made. */
export function waitEndOf(wait: WaitRecord | undefined): WaitEnd | null {
  if (!wait || wait.for === 'approval') return null
  if (wait.outcome === 'completed') return { outcome: 'completed', value: wait.value }
  return wait.outcome === 'timed_out' ? { outcome: 'timed_out' } : null
}

/** What a run waits for that ends by itself. */
export function pendingWait({ journal }: Pick<LoopPorts, 'journal'>, run: RunRecord): WaitRecord | undefined {
  return journal.waits.open(run.no).find((one) => !hasOwnSteps(one))
}

/** Why a run cannot be resumed manually yet; null if it waits for nothing that ends by itself. */
export function pendingWaitMessage(ports: Pick<LoopPorts, 'journal'>, run: RunRecord): string | null {
  const wait = pendingWait(ports, run)
  if (!wait) return null
  const what = wait.for === 'time' ? '' : ` for ${waitSubjectNames[wait.for]}`
  const until = wait.until === null ? '' : ` until ${timestamp(wait.until)}`
  return `run ${run.run_id} is waiting${what}${until} and continues automatically. Stop the run to end the wait.`
}

/** What a run waited for whose call is not settled yet: it continues automatically, as if it were still waiting. */
export function completedWaitReason({ journal }: LoopPorts, activeRun: ActiveRun): PauseReason | null {
  const { no } = activeRun.run()
  const waits = activeRun.progress().open.map(({ call_id }) => journal.waits.of(no, call_id))
  const wait = waits.find((one) => one?.for !== 'question' && waitEndOf(one) !== null)
  return wait?.for ?? null
}
