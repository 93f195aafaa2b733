// A run without a model: a workflow decides which calls it makes. They go through the same stages as those of a model.
import type { FailureContract } from '@tandem/contract/failure'
import type { PauseReason } from '@tandem/contract/run'
import { leavesOf } from '../call/tool.ts'
import { sleep } from '../clock/clock.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { neverMade } from '../pipeline/ended-early.ts'
import { withoutOutput } from '../pipeline/pipeline.ts'
import type { AskedCall } from '../pipeline/prepared-call.ts'
import type { ActiveRun } from './active-run.ts'
import { settleOne } from './call/settle-calls.ts'
import type { LoopPorts } from './ports.ts'
import type { OpenCall } from './run-progress.ts'
import type { StopKind, StopSignals } from './stops.ts'
import { cancelWaitsOf } from './waiting.ts'

export interface Carrier {
  /** Makes calls until nothing can go on, and has paused or ended the run when it returns. After a stop, it only returns. */
  advance(run: CarriedRun): Promise<void>
  /** Something that it waits for has ended. */
  wake(): void
  /** Called in the transaction that pauses the run because of a stop. */
  stopped(kind: StopKind): void
  /** It is to end: `advance` takes back what it can, and ends the run. In the transaction of the caller. */
  cancel(reason: string | null): void
}

/** The run, as its carrier uses it. */
export interface CarriedRun {
  record(): RunRecord
  open(): readonly OpenCall[]
  /** Whether a checkpoint of the run was restored. */
  readonly isRestored: boolean
  /** Records a call, in the transaction of the caller, and returns its id. `name` is found again in `open`, as `wire_id`. */
  request(tool: string, args: string, name?: string): string
  /** Makes a call that was recorded. `waiting`: for a person. `stopped`: the run was stopped, and the call stays open. */
  make(call_id: string, options: MakeOptions): Promise<'settled' | 'waiting' | 'stopped'>
  /** Ends a call that was not made and is no longer wanted. In the transaction of the caller. */
  discard(call_id: string): void
  /** Aborted when the run is asked to stop. */
  readonly stop: AbortSignal
  /** These end `advance`. Called in the transaction of the caller. */
  pause(reason: PauseReason, retry_at: number | null): void
  complete(): void
  fail(failure_contract: FailureContract): void
  cancel(reason: string | null): void
}

export interface MakeOptions {
  readonly signal: AbortSignal
  isApproved(call: AskedCall): boolean
}

interface RunEnds {
  complete(): void
  fail(failure_contract: FailureContract): void
  cancel(reason: string | null): void
}

export function carriedRun(ports: LoopPorts, activeRun: ActiveRun, stops: StopSignals, ends: RunEnds): CarriedRun {
  const { store, journal } = ports
  const openCall = (call_id: string) => activeRun.progress().open.find((call) => call.call_id === call_id)
  function discard(call_id: string): void {
    const call = openCall(call_id)
    if (!call) return
    const { tool, seq, checkpoint_id } = call
    const run = activeRun.run()
    cancelWaitsOf(ports, run, call_id)
    ports.approvals.withdrawCalls(run.no, [call_id])
    ports.checkpoints.approvalsChanged(run)
    activeRun.settle({ call_id, tool, call_seq: seq, ...withoutOutput('canceled', neverMade(tool)), checkpoint_id, duration_ms: 0 })
  }

  return {
    record: activeRun.run,
    open: () => activeRun.progress().open,
    isRestored: activeRun.isRestored,
    request(tool, args, wire_id) {
      const kept = journal.wholes.keep(args)
      const call_id = store.newId()
      const file = kept.file_id ? { arguments_file_id: kept.file_id } : {}
      const here = { ...(wire_id === undefined ? {} : { wire_id }), ...leavesOf(ports.registry.get(tool)) }
      activeRun.append({ kind: 'tool.call', call_id, tool, arguments: kept.text, ...file }, here)
      return call_id
    },
    async make(call_id, { signal, isApproved }) {
      const tool = AbortSignal.any([stops.tool, signal])
      for (;;) {
        const call = openCall(call_id)
        if (!call) return 'settled'
        // To ask again what has not been answered would ask twice.
        if (call.progress !== 'requested' && journal.waits.of(activeRun.run().no, call_id)?.outcome === null) return 'waiting'
        const end = await settleOne(ports, activeRun, call, { ...stops, tool }, isApproved)
        if (end === 'paused') return 'waiting'
        if (typeof end !== 'object' || !('wait_ms' in end)) return end === 'stopped' || openCall(call_id) ? 'stopped' : 'settled'
        const ended = AbortSignal.any([stops.model, signal])
        await sleep(store.clock, end.wait_ms, ended).catch(() => undefined)
        if (stops.kind()) return 'stopped'
        if (signal.aborted) store.transaction(() => discard(call_id))
      }
    },
    discard,
    // It is aborted by every kind of stop.
    stop: stops.model,
    pause: (reason, retry_at) => void activeRun.append({ kind: 'run.paused', reason }, retry_at === null ? {} : { retry_at }),
    ...ends,
  }
}
