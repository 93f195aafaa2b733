// The agent loop: model, calls, model, until there is a final response, a user is needed, or it is stopped from outside.
import type { FailureContract } from '@tandem/contract/failure'
import { canceledCall, neverMade, withoutOutput } from '../pipeline/pipeline.ts'
import { type ActiveRun, openActiveRun } from './active-run.ts'
import { settleCalls } from './call/settle-calls.ts'
import { internalError, modelRefused, repeatedCalls } from './failures.ts'
import type { LoopPorts } from './ports.ts'
import { retryAfter } from './retry.ts'
import { atStage, StoppedError, type StopSignals } from './stops.ts'
import { offeredTools } from './turn/offered-tools.ts'
import { takeTurn } from './turn/take-turn.ts'
import { cancelWaits, completedWaitReason } from './waiting.ts'

/** Continues a `running` run until it no longer is. Never throws for what can be recorded in the journal. */
export async function runLoop(ports: LoopPorts, run_id: string, stops: StopSignals): Promise<void> {
  const thread = openActiveRun(ports, run_id, offeredTools(ports, mustRun(ports, run_id)).wire)
  try {
    await continueRun(ports, thread, stops)
  } catch (error) {
    if (!(error instanceof StoppedError)) return pauseAfterError(ports, thread, internalError(error))
  }
  if (thread.run().state === 'running' && stops.kind()) await stop(ports, thread, stops)
}

async function continueRun(ports: LoopPorts, thread: ActiveRun, stops: StopSignals): Promise<void> {
  while (!stops.kind()) {
    const course = thread.course()
    if (course.open.length > 0) {
      const end = await atStage('tool_execution', () => settleCalls(ports, thread, stops))
      if (end === 'paused') return
      if (typeof end === 'object') return fail(ports, thread, repeatedCalls(end.inCircles, end.times))
      continue
    }
    if (course.refused !== null) return fail(ports, thread, modelRefused(thread.run().model, course.refused))
    if (course.answered && course.empty === 0) return complete(ports, thread)
    // Tools can appear and disappear during a run: each turn gets the current ones.
    const turn = await atStage('model_call', () => takeTurn(ports, thread, stops, ports.toolsFor(thread.run())))
    if (turn.at === 'failed') return fail(ports, thread, turn.failure)
    if (turn.at === 'unanswered') return wait(ports, thread, turn.failure, turn.retry_after_ms)
  }
}

async function complete(ports: LoopPorts, thread: ActiveRun): Promise<void> {
  ports.crashPoint('run_ending')
  thread.append({ kind: 'run.completed', usage: thread.run().usage })
  await ended(ports, thread)
}

async function fail(ports: LoopPorts, thread: ActiveRun, failure_contract: FailureContract): Promise<void> {
  ports.crashPoint('run_ending')
  ports.store.transaction(() => {
    endOpenCalls(ports, thread)
    thread.append({ kind: 'run.failed', usage: thread.run().usage, failure_contract })
  })
  await ended(ports, thread)
}

/** After an internal error the run is paused, as after a crash, because failing would be final. */
function pauseAfterError(ports: LoopPorts, thread: ActiveRun, failure_contract: FailureContract): void {
  ports.log(`run ${thread.run().run_id} was interrupted: ${failure_contract.details.message}`)
  ports.store.transaction(() => {
    thread.append({ kind: 'error', failure_contract })
    // It may have paused or ended just before the error.
    if (thread.run().state === 'running') thread.append({ kind: 'run.paused', reason: 'crash' })
  })
}

/** The model may respond later: the run pauses, and nothing is lost. It is retried automatically unless only a user can help. */
function wait(ports: LoopPorts, thread: ActiveRun, failure_contract: FailureContract, asked_ms = 0): void {
  ports.store.transaction(() => {
    thread.append({ kind: 'error', failure_contract })
    pauseForModel(ports, thread, { retry: failure_contract.recoverability === 'retryable' ? 'by_itself' : 'by_hand' }, asked_ms)
  })
}

function pauseForModel(
  { store, random }: LoopPorts,
  thread: ActiveRun,
  { retry }: { readonly retry: 'by_itself' | 'by_hand' },
  asked_ms = 0,
): void {
  const wait_ms = retry === 'by_itself' ? retryAfter(thread.run().retries, random(), asked_ms) : null
  thread.append({ kind: 'run.paused', reason: 'model' }, wait_ms === null ? {} : { retry_at: store.clock.now() + wait_ms })
}

async function stop(ports: LoopPorts, thread: ActiveRun, stops: StopSignals): Promise<void> {
  // If a runtime shuts down during a retry, the next one continues to retry.
  if (stops.kind() === 'shutdown' && thread.run().retries > 0) return pauseForModel(ports, thread, { retry: 'by_itself' })
  // What it waited for has ended: the next runtime continues it automatically, as after a crash.
  if (stops.kind() === 'shutdown') return void thread.append({ kind: 'run.paused', reason: completedWaitReason(ports, thread) ?? 'user' })
  if (stops.kind() !== 'cancel') return void thread.append({ kind: 'run.paused', reason: 'user' })
  cancelRun(ports, thread, stops.reason())
  await ended(ports, thread)
}

export function cancelRun(ports: LoopPorts, thread: ActiveRun, reason: string | null): void {
  ports.store.transaction(() => {
    endOpenCalls(ports, thread)
    thread.append({ kind: 'run.canceled', usage: thread.run().usage, reason })
  })
}

/** Nothing stays open in a run that has ended: no call, no approval, no question, no streamed text. */
function endOpenCalls(ports: LoopPorts, thread: ActiveRun): void {
  const { no, conversation } = thread.run()
  for (const { call_id, tool, seq, checkpoint_id, progress } of thread.course().open) {
    const wasMade = progress === 'started' || (progress === 'waiting' && ports.journal.waits.of(no, call_id)?.for !== 'approval')
    const result = withoutOutput('canceled', wasMade ? canceledCall(tool) : neverMade(tool))
    thread.settle({ call_id, tool, call_seq: seq, ...result, checkpoint_id, duration_ms: 0 })
  }
  const cut = ports.journal.stream(no)
  if (cut && cut.text !== '') {
    // Text that was shown is not removed again.
    const { message_id, text } = cut
    ports.journal.messages.write({ message_id, conversation, run: no, role: 'assistant', author: 'agent', text })
    thread.append({ kind: 'message.completed', message_id })
  }
  cancelWaits(ports, thread.run())
  ports.approvals.withdraw(no)
  ports.checkpoints.approvalsChanged(thread.run())
  ports.journal.dropStream(no)
}

export async function ended(ports: LoopPorts, thread: ActiveRun): Promise<void> {
  const run = thread.run()
  ports.memory.forgetRun(run.run_id)
  await ports.endRun(run.run_id).catch((error: unknown) => ports.log(`cleanup after run ${run.run_id} failed: ${String(error)}`))
}

function mustRun({ journal }: LoopPorts, run_id: string) {
  const run = journal.run(run_id)
  if (!run) throw new Error(`there is no run ${run_id}`)
  return run
}
