// Executes the calls of one turn: in parallel if all only read, otherwise in the model's order.
import type { CallPreview } from '@tandem/contract/run'
import { ToolFailure } from '../../call/failure.ts'
import { failedCall } from '../../call/outcome.ts'
import { Committing, Waiting } from '../../call/wait.ts'
import { withoutOutput } from '../../pipeline/pipeline.ts'
import type { CallingRun, CallResult, CallStatus, Prepared, ReadyCall } from '../../pipeline/prepared-call.ts'
import type { ActiveRun } from '../active-run.ts'
import type { LoopPorts, TakenCheckpoint } from '../ports.ts'
import { callSignature, type OpenCall } from '../run-progress.ts'
import type { StopSignals } from '../stops.ts'
import { atStage } from '../stops.ts'
import { beginWait, waitEndOf, waitOf } from '../waiting.ts'
import { completedRounds, failAtRound, warnAtRound } from './repetition.ts'
import { reportViolation } from './report-violation.ts'
import { isApprovedWithoutPoint, requestApproval, requestUnprotected, type Unprotected } from './request-approval.ts'
import { deniedCall, interruptedCall, repeatedCall } from './unmade-calls.ts'

/** `wait_ms`: the rate limit does not allow the call yet, and it stays open. */
export type CallsEnd =
  | 'settled'
  | 'paused'
  | 'stopped'
  | { readonly inCircles: string; readonly times: number }
  | { readonly wait_ms: number }

export async function settleCalls(ports: LoopPorts, activeRun: ActiveRun, stops: StopSignals): Promise<CallsEnd> {
  const calls = activeRun.progress().open
  if (calls.length > 1 && calls.every((call) => call.progress === 'requested' && circles(activeRun, call) < warnAtRound)) {
    const prepared = await Promise.all(calls.map((call) => prepare(ports, activeRun, call)))
    if (stops.kind()) return 'stopped'
    // A call that may wait pauses the run, so it is executed alone.
    if (prepared.every((one) => one.state === 'ready' && one.call.looks && !one.call.literal.resumed)) {
      await Promise.all(calls.map((call, index) => run(ports, activeRun, call, (prepared[index] as Ready).call, stops)))
      return stops.kind() ? 'stopped' : 'settled'
    }
  }
  for (const call of calls) {
    if (stops.kind()) return 'stopped'
    const end = await settleOne(ports, activeRun, call, stops)
    if (end !== 'settled') return end
  }
  return 'settled'
}

type Ready = Extract<Prepared, { state: 'ready' }>

/** Whether a person approved a call with the workflow that it is part of. */
type ApprovedBefore = NonNullable<CallingRun['isApproved']>

const neverApproved: ApprovedBefore = () => false

export async function settleOne(
  ports: LoopPorts,
  activeRun: ActiveRun,
  call: OpenCall,
  stops: StopSignals,
  isApproved: ApprovedBefore = neverApproved,
): Promise<CallsEnd> {
  const wait = call.progress === 'requested' ? undefined : ports.journal.waits.of(activeRun.run().no, call.call_id)
  const waited = wait && waitEndOf(wait)
  if (waited) {
    const made = await ports.pipeline.resume(wait.tool, waitOf(wait), waited)
    if (!(made instanceof Waiting)) return finish(ports, activeRun, call, made, call.checkpoint_id)
    return begin(ports, activeRun, call, made, call.checkpoint_id) ?? 'settled'
  }
  const circle = circles(activeRun, call)
  if (circle >= failAtRound) return { inCircles: call.tool, times: circle }
  if (circle >= warnAtRound) return finish(ports, activeRun, call, repeatedCall(call.tool, circle))
  const denied = denialOf(ports, activeRun, call)
  if (denied) return finish(ports, activeRun, call, denied)
  const prepared = await prepareInOwnFolder(ports, activeRun, call, stops, isApproved)
  // Preparing a call takes time. If the run was stopped meanwhile, no approval is requested.
  if (stops.kind()) return 'stopped'
  switch (prepared.state) {
    case 'refused':
      return finish(ports, activeRun, call, prepared.result)
    case 'ask': {
      const preview = await previewOf(ports, activeRun, prepared.call)
      if (stops.kind()) return 'stopped'
      return atStage('approval', () => requestApproval(ports, activeRun, call, prepared.call, preview))
    }
    case 'ready':
      return (await run(ports, activeRun, call, prepared.call, stops)) ?? (stops.kind() ? 'stopped' : 'settled')
  }
}

/** The calls of a workflow are bounded by its definition. */
function circles(activeRun: ActiveRun, call: OpenCall): number {
  if (activeRun.isCarrier) return 0
  return completedRounds(activeRun.progress().ended, callSignature(call.tool, call.arguments))
}

/** If the approval was denied, the call ends without running. */
function denialOf({ approvals }: LoopPorts, activeRun: ActiveRun, call: OpenCall): CallResult | null {
  const approval = answerTo(approvals, activeRun, call)
  if (approval?.answer !== 'no') return null
  return deniedCall(call.tool, approval.reason)
}

/** The answer about the call. A call that was only requested has none yet. */
function answerTo(approvals: LoopPorts['approvals'], activeRun: ActiveRun, { progress, call_id }: OpenCall) {
  return progress === 'requested' ? undefined : approvals.answered(activeRun.run().no, call_id)
}

function prepare(ports: LoopPorts, activeRun: ActiveRun, call: OpenCall, isApproved = neverApproved): Promise<Prepared> {
  return atStage('tool_validation', () => prepared(ports, activeRun, call, isApproved))
}

/** A member of a team may get a folder of its own before its first change. Then everything is prepared for that folder. */
async function prepareInOwnFolder(
  ports: LoopPorts,
  activeRun: ActiveRun,
  call: OpenCall,
  stops: StopSignals,
  isApproved: ApprovedBefore,
): Promise<Prepared> {
  const prepared = await prepare(ports, activeRun, call, isApproved)
  if (prepared.state === 'refused' || stops.kind()) return prepared
  try {
    const status = statusOf(ports.bus, activeRun.run(), call)
    const isElsewhere = await ports.team.ensureCopy(activeRun.run(), prepared.call, stops.tool, status)
    return isElsewhere ? await prepare(ports, activeRun, call, isApproved) : prepared
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    const { outcome, failure_contract } = failedCall(call.tool, error)
    return { state: 'refused', result: withoutOutput(outcome, failure_contract) }
  }
}

function previewOf(ports: LoopPorts, activeRun: ActiveRun, call: ReadyCall): Promise<CallPreview | null> {
  const record = activeRun.run()
  return ports.pipeline.preview(call, callerOf(record, ports, ports.tempFor(record.run_id)))
}

function prepared(ports: LoopPorts, activeRun: ActiveRun, call: OpenCall, isApproved: ApprovedBefore): Promise<Prepared> {
  const { pipeline, approvals, journal, tempFor, bus } = ports
  const approval = answerTo(approvals, activeRun, call)
  const approved = approval && approval.answer !== 'no' && approval.answer !== 'withdrawn' ? approval : null
  const args = approved?.edited_arguments ?? wholeArguments(journal, call)
  const requested = { call_id: call.call_id, tool: call.asked, arguments: args }
  const record = activeRun.run()
  const status = statusOf(bus, record, call)
  if (!approved) return pipeline.prepare(requested, { ...callerOf(record, ports), isApproved, status })
  return pipeline.recheck(
    requested,
    { ...callerOf(record, ports, tempFor(record.run_id)), status },
    {
      fingerprint: approved.fingerprint,
      shown: approved.prompt.arguments,
      edited: approved.edited_arguments !== null,
      plan: approved.plan,
      preview: approved.prompt.preview ?? null,
    },
  )
}

function wholeArguments({ wholes }: LoopPorts['journal'], { arguments_file, arguments: beginning }: OpenCall): string {
  return arguments_file === null ? beginning : (wholes.find(arguments_file) ?? beginning)
}

function callerOf(run: ReturnType<ActiveRun['run']>, { approvals, team }: Pick<LoopPorts, 'approvals' | 'team'>, temp = ''): CallingRun {
  const { agent_id, conversation_id, run_id, workspace, sandbox_mode } = run
  const membership = team.membershipOf(run)
  const remembered = (tool: string) => [...approvals.remembered(run.no, tool), ...(membership?.rules(tool) ?? [])]
  const inTeam = membership ? { in_team: true, ignores_always: membership.ignores_always, in_copy: membership.in_copy } : {}
  const claims = membership?.writable ? { writable: membership.writable } : {}
  return { agent_id, conversation_id, run_id, workspace, temp, sandbox_mode, remembered, ...inTeam, ...claims }
}

function statusOf(bus: LoopPorts['bus'], { run_id, conversation_id }: ReturnType<ActiveRun['run']>, { call_id }: OpenCall): CallStatus {
  return (text) => bus.publish('delta', { run_id, conversation_id, kind: 'status', id: call_id, offset: 0, text })
}

/** Checkpoint, intent, effect, result. Between intent and result, only this call is uncertain. Returns null, or `paused` if the run must wait. */
async function run(
  ports: LoopPorts,
  activeRun: ActiveRun,
  call: OpenCall,
  ready: ReadyCall,
  stops: StopSignals,
): Promise<'paused' | { readonly wait_ms: number } | null> {
  const record = activeRun.run()
  const calling = callerOf(record, ports, ports.tempFor(record.run_id))
  const over = ports.pipeline.admit(ready, calling)
  // A model is told; a workflow makes the call a little later.
  if (over && activeRun.isCarrier) return { wait_ms: over.wait_ms }
  if (over) {
    finish(ports, activeRun, call, over.result)
    return null
  }
  const entered = await ports.team.enter(record, ready, stops.tool)
  if (!entered.ok) {
    finish(ports, activeRun, call, withoutOutput('denied', entered.failure_contract))
    return null
  }
  try {
    return await runProtected(ports, activeRun, call, ready, { calling, stops })
  } finally {
    entered.leave()
  }
}

async function runProtected(
  ports: LoopPorts,
  activeRun: ActiveRun,
  call: OpenCall,
  ready: ReadyCall,
  { calling, stops }: Pick<Making, 'calling' | 'stops'>,
): Promise<'paused' | null> {
  const taken = await atStage('checkpoint', () => takeCheckpoint(ports, activeRun, call, ready))
  if (taken.refused) {
    finish(ports, activeRun, call, taken.refused)
    return null
  }
  const { checkpoint, unprotected } = taken
  const settle = () => closeCheckpoint(ports, activeRun, call, checkpoint, null)
  // Nothing starts after a stop: the call stays open, and is made when the run resumes or ended with it.
  if (stops.kind()) {
    await settle()
    return null
  }
  if (unprotected && !isApprovedWithoutPoint(ports, activeRun, call, ready)) {
    ports.pipeline.postpone(ready, calling)
    const preview = await ports.pipeline.preview(ready, calling)
    return await atStage('approval', () => requestUnprotected(ports, activeRun, call, ready, unprotected, preview))
  }
  const endUnprotected = unprotected && ports.checkpoints.beginUnprotected(activeRun.run(), ready)
  try {
    return await make(ports, activeRun, call, ready, { calling, checkpoint, stops })
  } catch (error) {
    // Whatever the error, the call has ended: it changes nothing any more.
    await settle()
    throw error
  } finally {
    endUnprotected?.()
  }
}

interface Making {
  readonly calling: CallingRun
  readonly checkpoint: TakenCheckpoint | null
  readonly stops: StopSignals
}

async function make(
  ports: LoopPorts,
  activeRun: ActiveRun,
  call: OpenCall,
  ready: ReadyCall,
  { calling, checkpoint, stops }: Making,
): Promise<'paused' | null> {
  const { store, pipeline, bus, crashPoint } = ports
  const { clock } = store
  const record = activeRun.run()
  const checkpoint_id = checkpoint?.checkpoint_id ?? null
  const here = { tool: call.tool, ...(ready.looks ? { looks: true as const } : {}), ...(checkpoint_id ? { checkpoint_id } : {}) }
  // A call that changes nothing can be repeated: its intent need not wait for the disk.
  const write = ready.looks ? store.relaxed : store.transaction
  const started = write(() => {
    if (checkpoint) recordCheckpoint(ports, activeRun, call, checkpoint)
    if (!ready.looks) ports.changes.begin(call.call_id, ready, record)
    if (ready.covered_by) ports.policies.uses.used(record.agent_id, ready.tool, ready.covered_by)
    return activeRun.append({ kind: 'tool.started', call_id: call.call_id }, here)
  })
  crashPoint('tool_started')
  const began = clock.elapsed()
  let shown = 0
  const made = await pipeline.execute(ready, calling, {
    signal: stops.tool,
    report: (violation) => reportViolation(ports, record, started, ready, violation),
    progress(text) {
      const { run_id, conversation_id } = record
      bus.publish('delta', { run_id, conversation_id, kind: 'progress', id: call.call_id, offset: shown, text })
      shown += text.length
    },
  })
  crashPoint('tool_done')
  const failure = made instanceof Waiting || made instanceof Committing ? null : made.failure_contract
  await atStage('checkpoint', () => closeCheckpoint(ports, activeRun, call, checkpoint, failure))
  if (!ready.looks) await atStage('checkpoint', () => ports.changes.end(call.call_id, ready, record, checkpoint_id))
  if (made instanceof Waiting) return begin(ports, activeRun, call, made, checkpoint_id)
  const duration_ms = Math.round(clock.elapsed() - began)
  if (made instanceof Committing) commit(ports, activeRun, call, made, checkpoint_id, duration_ms)
  else write(() => finish(ports, activeRun, call, stopped(made, stops, call), checkpoint_id, duration_ms))
  return null
}

/** The effect and its result, or a failure and no effect. */
function commit(
  ports: LoopPorts,
  activeRun: ActiveRun,
  call: OpenCall,
  made: Committing<CallResult>,
  checkpoint_id: string | null,
  duration_ms: number,
): void {
  try {
    ports.store.transaction(() => finish(ports, activeRun, call, made.commit(), checkpoint_id, duration_ms))
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    const { outcome, failure_contract } = failedCall(call.tool, error)
    finish(ports, activeRun, call, withoutOutput(outcome, failure_contract), checkpoint_id, duration_ms)
  }
}

/** A wait that cannot start is the result of the call. */
function begin(ports: LoopPorts, activeRun: ActiveRun, call: OpenCall, waiting: Waiting, checkpoint_id: string | null): 'paused' | null {
  try {
    return beginWait(ports, activeRun, call, waiting)
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    const { outcome, failure_contract } = failedCall(call.tool, error)
    finish(ports, activeRun, call, withoutOutput(outcome, failure_contract), checkpoint_id)
    return null
  }
}

/** A runtime that shuts down did not intend to cancel the work: it is reported as an interruption. */
function stopped(result: CallResult, stops: StopSignals, { tool }: OpenCall): CallResult {
  if (result.outcome !== 'canceled' || stops.kind() !== 'shutdown') return result
  return withoutOutput('interrupted', interruptedCall(tool, null))
}

interface Taking {
  readonly checkpoint: TakenCheckpoint | null
  readonly unprotected: Unprotected | null
  readonly refused: CallResult | null
}

const nothingTaken: Taking = { checkpoint: null, unprotected: null, refused: null }

/** Without a recovery point nothing is changed, unless the user approves the call without one. */
async function takeCheckpoint(ports: LoopPorts, activeRun: ActiveRun, call: OpenCall, ready: ReadyCall): Promise<Taking> {
  if (ready.looks) return nothingTaken
  const taken = await ports.checkpoints.take(activeRun.run(), activeRun.progress(), call, ready, statusOf(ports.bus, activeRun.run(), call))
  if (taken === null) return nothingTaken
  if (!taken.ok) {
    const { plan, failure_contract } = taken
    if (plan) return { ...nothingTaken, unprotected: { plan, failure_contract } }
    return { ...nothingTaken, refused: withoutOutput('failed', failure_contract) }
  }
  ports.crashPoint('checkpoint_taken')
  return { ...nothingTaken, checkpoint: taken }
}

function recordCheckpoint({ events }: LoopPorts, activeRun: ActiveRun, { call_id }: OpenCall, taken: TakenCheckpoint): void {
  const { checkpoint_id, restore_kind, artifact_count, artifact_bytes, duration_ms } = taken
  activeRun.append({ kind: 'checkpoint.created', checkpoint_id, restore_kind, call_id })
  events.emit(
    'checkpoint_created',
    { run: activeRun.run() },
    { checkpoint_id, restore_kind, call_id, artifact_count, artifact_bytes, duration_ms },
  )
}

/** The call has ended either way: a checkpoint that cannot be closed is recorded, and the call keeps its result. */
async function closeCheckpoint(
  { checkpoints, events, bus }: LoopPorts,
  activeRun: ActiveRun,
  call: OpenCall,
  checkpoint: TakenCheckpoint | null,
  failure: CallResult['failure_contract'],
): Promise<void> {
  if (!checkpoint) return
  const { checkpoint_id } = checkpoint
  const { call_id } = call
  const unclosed = await checkpoints.settle(checkpoint_id, call_id, failure, statusOf(bus, activeRun.run(), call))
  if (unclosed) events.emit('checkpoint_failed', { run: activeRun.run() }, { checkpoint_id, call_id }, unclosed)
}

function finish(
  { store, crashPoint }: LoopPorts,
  activeRun: ActiveRun,
  { call_id, tool, seq }: OpenCall,
  result: CallResult,
  checkpoint_id: string | null = null,
  duration_ms = 0,
): 'settled' {
  activeRun.settle({ call_id, tool, call_seq: seq, ...result, checkpoint_id, duration_ms })
  store.afterCommit(() => crashPoint('tool_settled'))
  return 'settled'
}
