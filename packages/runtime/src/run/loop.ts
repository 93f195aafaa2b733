// The agent loop: model, calls, model, until there is a final response, a user is needed, or it is stopped from outside.
import type { FailureContract } from '@tandem/contract/failure'
import { isTerminalRunState } from '@tandem/contract/run'
import { Waiting } from '../call/wait.ts'
import { canceledCall, neverMade } from '../pipeline/ended-early.ts'
import { withoutOutput } from '../pipeline/pipeline.ts'
import type { ActiveRun } from './active-run.ts'
import { settleCalls } from './call/settle-calls.ts'
import { type Carrier, carriedRun } from './carrier.ts'
import { internalError, modelRefused, repeatedCalls } from './failures.ts'
import type { LoopPorts } from './ports.ts'
import { retryAfter } from './retry.ts'
import { atStage, StoppedError, type StopSignals } from './stops.ts'
import { canTakeTurn, takeTurn } from './turn/take-turn.ts'
import { beginWait, cancelWaits, completedWaitReason } from './waiting.ts'

/** Continues a `running` run until it no longer is. Never throws for what can be recorded in the journal. */
export async function runLoop(ports: LoopPorts, activeRun: ActiveRun, stops: StopSignals): Promise<void> {
  const carrier = activeRun.isCarrier ? ports.carrierOf(activeRun.run()) : null
  try {
    await (carrier ? carry(ports, activeRun, carrier, stops) : continueRun(ports, activeRun, stops))
  } catch (error) {
    if (!(error instanceof StoppedError)) return pauseAfterError(ports, activeRun, internalError(error))
  }
  if (activeRun.run().state === 'running' && stops.kind()) await stop(ports, activeRun, stops, carrier)
}

async function carry(ports: LoopPorts, activeRun: ActiveRun, carrier: Carrier, stops: StopSignals): Promise<void> {
  await carrier.advance(
    carriedRun(ports, activeRun, stops, {
      complete: () => void activeRun.append({ kind: 'run.completed', usage: activeRun.run().usage }),
      fail: (failure_contract) => recordFailure(ports, activeRun, failure_contract),
      cancel: (reason) => cancelRun(ports, activeRun, reason),
    }),
  )
  if (isTerminalRunState(activeRun.run().state)) await ended(ports, activeRun)
}

async function continueRun(ports: LoopPorts, activeRun: ActiveRun, stops: StopSignals): Promise<void> {
  while (!stops.kind()) {
    const progress = activeRun.progress()
    if (progress.open.length > 0) {
      const end = await atStage('tool_execution', () => settleCalls(ports, activeRun, stops))
      if (end === 'paused') return
      if (typeof end === 'object' && 'inCircles' in end) return fail(ports, activeRun, repeatedCalls(end.inCircles, end.times))
      continue
    }
    if (progress.refused !== null) return fail(ports, activeRun, modelRefused(activeRun.run().model, progress.refused))
    // Messages that no turn would read start the next run.
    if (canTakeTurn(ports, activeRun)) ports.team.deliver(activeRun)
    const { answered, empty } = activeRun.progress()
    if (answered && empty === 0 && ports.team.hasOpenMembers(activeRun.run().run_id)) return waitForMembers(ports, activeRun)
    if (answered && empty === 0) return complete(ports, activeRun)
    // Tools can appear and disappear during a run: each turn gets the current ones.
    const turn = await atStage('model_call', () =>
      takeTurn(ports, activeRun, stops, ports.toolsFor(activeRun.run(), activeRun.progress().loaded)),
    )
    if (turn.at === 'failed') return fail(ports, activeRun, turn.failure)
    if (turn.at === 'over_budget') return pauseForBudget(ports, activeRun, turn.failure)
    if (turn.at === 'unanswered') return wait(ports, activeRun, turn.failure, turn.retry_after_ms)
  }
}

/** It has answered, but members that it started have not ended: it continues when one does, or when somebody writes to it. */
function waitForMembers(ports: LoopPorts, activeRun: ActiveRun): void {
  const { run_id } = activeRun.run()
  beginWait(ports, activeRun, { call_id: 'team', tool: 'agent.spawn' }, new Waiting({ for: 'child', id: run_id }))
}

/** A person may allow it to spend more. */
function pauseForBudget({ store }: LoopPorts, activeRun: ActiveRun, failure_contract: FailureContract): void {
  store.transaction(() => {
    activeRun.append({ kind: 'error', failure_contract })
    activeRun.append({ kind: 'run.paused', reason: 'budget' })
  })
}

async function complete(ports: LoopPorts, activeRun: ActiveRun): Promise<void> {
  ports.crashPoint('run_ending')
  activeRun.append({ kind: 'run.completed', usage: activeRun.run().usage })
  await ended(ports, activeRun)
}

async function fail(ports: LoopPorts, activeRun: ActiveRun, failure_contract: FailureContract): Promise<void> {
  ports.crashPoint('run_ending')
  recordFailure(ports, activeRun, failure_contract)
  await ended(ports, activeRun)
}

function recordFailure(ports: LoopPorts, activeRun: ActiveRun, failure_contract: FailureContract): void {
  ports.store.transaction(() => {
    endOpenCalls(ports, activeRun)
    activeRun.append({ kind: 'run.failed', usage: activeRun.run().usage, failure_contract })
  })
}

/** After an internal error the run is paused, as after a crash, because failing would be final. */
function pauseAfterError(ports: LoopPorts, activeRun: ActiveRun, failure_contract: FailureContract): void {
  ports.log(`run ${activeRun.run().run_id} was interrupted: ${failure_contract.details.message}`)
  ports.store.transaction(() => {
    activeRun.append({ kind: 'error', failure_contract })
    // It may have paused or ended just before the error.
    if (activeRun.run().state === 'running') activeRun.append({ kind: 'run.paused', reason: 'crash' })
  })
}

/** The model may respond later: the run pauses, and nothing is lost. It is retried automatically unless only a user can help. */
function wait(ports: LoopPorts, activeRun: ActiveRun, failure_contract: FailureContract, asked_ms = 0): void {
  ports.store.transaction(() => {
    activeRun.append({ kind: 'error', failure_contract })
    pauseForModel(ports, activeRun, { retry: failure_contract.recoverability === 'retryable' ? 'by_itself' : 'by_hand' }, asked_ms)
  })
}

function pauseForModel(
  { store, random }: LoopPorts,
  activeRun: ActiveRun,
  { retry }: { readonly retry: 'by_itself' | 'by_hand' },
  asked_ms = 0,
): void {
  const wait_ms = retry === 'by_itself' ? retryAfter(activeRun.run().retries, random(), asked_ms) : null
  activeRun.append({ kind: 'run.paused', reason: 'model' }, wait_ms === null ? {} : { retry_at: store.clock.now() + wait_ms })
}

async function stop(ports: LoopPorts, activeRun: ActiveRun, stops: StopSignals, carrier: Carrier | null): Promise<void> {
  if (carrier) return stopCarrier(ports, activeRun, stops, carrier)
  // If a runtime shuts down during a retry, the next one continues to retry.
  if (stops.kind() === 'shutdown' && activeRun.run().retries > 0) return pauseForModel(ports, activeRun, { retry: 'by_itself' })
  if (stops.kind() === 'shutdown' && ports.isAwaited(activeRun.run().run_id))
    return void activeRun.append({ kind: 'run.paused', reason: 'workflow' }, { retry_at: ports.store.clock.now() })
  // What it waited for has ended: the next runtime continues it automatically, as after a crash.
  if (stops.kind() === 'shutdown')
    return void activeRun.append({ kind: 'run.paused', reason: completedWaitReason(ports, activeRun) ?? 'user' })
  if (stops.kind() !== 'cancel') return void activeRun.append({ kind: 'run.paused', reason: 'user' })
  cancelRun(ports, activeRun, stops.reason())
  await ended(ports, activeRun)
}

function stopCarrier({ store }: LoopPorts, activeRun: ActiveRun, stops: StopSignals, carrier: Carrier): void {
  store.transaction(() => {
    const kind = stops.kind() ?? 'pause'
    carrier.stopped(kind)
    // The next runtime continues it.
    const here = kind === 'shutdown' ? { retry_at: store.clock.now() } : {}
    activeRun.append({ kind: 'run.paused', reason: kind === 'shutdown' ? 'workflow' : 'user' }, here)
  })
}

export function cancelRun(ports: LoopPorts, activeRun: ActiveRun, reason: string | null): void {
  ports.store.transaction(() => {
    endOpenCalls(ports, activeRun)
    activeRun.append({ kind: 'run.canceled', usage: activeRun.run().usage, reason })
  })
}

/** Nothing stays open in a run that has ended: no call, no approval, no question, no streamed text. */
function endOpenCalls(ports: LoopPorts, activeRun: ActiveRun): void {
  const { no, conversation } = activeRun.run()
  for (const { call_id, tool, seq, checkpoint_id, progress } of activeRun.progress().open) {
    const wasMade = progress === 'started' || (progress === 'waiting' && ports.journal.waits.of(no, call_id)?.for !== 'approval')
    const result = withoutOutput('canceled', wasMade ? canceledCall(tool) : neverMade(tool))
    activeRun.settle({ call_id, tool, call_seq: seq, ...result, checkpoint_id, duration_ms: 0 })
  }
  const cut = ports.journal.stream(no)
  if (cut && cut.text !== '') {
    // Text that was shown is not removed again.
    const { message_id, text } = cut
    ports.journal.messages.write({ message_id, conversation, run: no, role: 'assistant', author: 'agent', text })
    activeRun.append({ kind: 'message.completed', message_id })
  }
  cancelWaits(ports, activeRun.run())
  ports.approvals.withdraw(no)
  ports.checkpoints.approvalsChanged(activeRun.run())
  ports.journal.dropStream(no)
}

export async function ended(ports: LoopPorts, activeRun: ActiveRun): Promise<void> {
  const run = activeRun.run()
  ports.crashPoint('run_ended')
  ports.memory.forgetRun(run.run_id)
  await ports.endRun(run.run_id).catch((error: unknown) => ports.log(`cleanup after run ${run.run_id} failed: ${String(error)}`))
}
