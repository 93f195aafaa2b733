// Runs, as the command layer uses them: start, resume with or without an answer, pause, cancel.
import { existsSync } from 'node:fs'
import type { ConflictChoice } from '@tandem/contract/checkpoint'
import type { CommandErrorCode } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'
import type { PauseReason, ResumeContract } from '@tandem/contract/run'
import { isTerminalRunState, runTransitions } from '@tandem/contract/run'
import { transition } from '@tandem/contract/transition'
import type { Wait, WaitEnd } from '../call/wait.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { NewRun } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { DeviceOnlyFields } from '../journal/step.ts'
import { type ActiveRun, openActiveRun } from './active-run.ts'
import { type Compacted, compactNow } from './compact-now.ts'
import { agentGone, noModel, workspaceGone } from './failures.ts'
import { endTurn } from './interrupt.ts'
import { cancelRun, ended, runLoop } from './loop.ts'
import { openOnOtherDevice, runOfOtherDevice } from './other-device.ts'
import type { LoopPorts } from './ports.ts'
import { type CreatedCheckpoint, createCheckpoint } from './recovery/on-demand.ts'
import { type Restored, type RestoreOptions, restoreInterrupted, restoreRunCheckpoint, workspaceNotMoved } from './recovery/restore.ts'
import { openRejections } from './rejections.ts'
import { type AnswerRefusal, recordAnswer, resumeContract, settleInterrupted, stillWaiting, type WaitAnswer } from './resume.ts'
import { type MemberStart, startMember } from './start-member.ts'
import type { StartRequest } from './start-request.ts'
import { changesAtStart, writeStatus } from './status-messages.ts'
import { createStopSignals, type StopKind, type StopSignals } from './stops.ts'
import { settingsBeforeFirstRun, titleOf } from './titles.ts'
import { openModelMemory } from './turn/model-memory.ts'
import { offeredTools } from './turn/offered-tools.ts'
import { completedWaitReason, endDueWaits, endWaitsFor, pendingWait } from './waiting.ts'

export interface ResumeResult {
  readonly run_id: string
  readonly state: RunRecord['state']
  readonly step_id: string
  readonly resume_contract: ResumeContract
}

export interface Runs {
  start(request: StartRequest): Outcome<RunRecord>
  resume(run_id: string, answer?: WaitAnswer): Outcome<ResumeResult>
  pause(run_id: string): Promise<Outcome<RunRecord>>
  /** Ends the turn and goes on: what the user wrote comes before anything else. A tool that is running may finish. */
  interrupt(run_id: string): Promise<Outcome<RunRecord>>
  cancel(run_id: string, reason: string | null): Promise<Outcome<RunRecord>>
  /** `restore_run_checkpoint()`: restores the checkpoint, and leaves the run paused. */
  restore(run_id: string, checkpoint_id: string, on_conflict: ConflictChoice, options?: RestoreOptions): Promise<Outcome<Restored>>
  /** Takes a recovery point that a user requests. */
  createCheckpoint(run_id: string): Promise<Outcome<CreatedCheckpoint>>
  /** Compacts the context of a conversation that is not running, because the user asks. */
  compact(conversation_id: string): Promise<Outcome<Compacted>>
  /** Whether this process is executing a run. */
  isActive(): boolean
  /** Resolves when the run is no longer running here: paused or ended. */
  settled(run_id: string): Promise<RunRecord | undefined>
  /** After a crash: pauses runs that were running. Returns how many there were. */
  recover(): number
  /** Continues runs that are due: they wait for their model, or carry a workflow. Returns how many there were. */
  retryDue(): number
  /** A run without a model, for what decides its calls. Part of the caller's transaction; it starts after the commit. */
  startCarrier(run: CarrierStart): RunRecord
  /** A member of a team. Part of the caller's transaction; it starts after the commit. */
  startMember(member: MemberStart): RunRecord
  /** What a carried run waits for has ended: it continues, unless a user has paused it. */
  wakeCarrier(run_id: string): void
  /** What calls waited for has ended. Each wait ends once: ending it again has no effect. Returns whether any ended. */
  endWaits(subject: Pick<Wait, 'for' | 'id'>, end: WaitEnd): boolean
  /** Ends the waits whose time has come. Returns whether there are runs that this process continues. */
  endDueWaits(): boolean
  /** Continues the runs whose waits have ended. */
  continueWaiting(): void
  /** Pauses running runs, and waits for that. */
  stop(): Promise<void>
}

export type CarrierStart = Pick<NewRun, 'conversation' | 'agent_id' | 'title' | 'sandbox_mode'> & { readonly workflow_run_id: string }

interface GoingRun {
  readonly stops: StopSignals
  readonly activeRun: ActiveRun
  readonly done: Promise<void>
}

/** `kept` are the checkpoints themselves; `ports.checkpoints` is how the loop takes them. */
export function openRuns(given: Omit<LoopPorts, 'memory'>, kept: Checkpoints): Runs {
  const ports: LoopPorts = { ...given, memory: openModelMemory() }
  const { store, journal } = ports
  const rejections = openRejections(ports)
  const nameOf = (device_id: string) => ports.deviceName?.(device_id) ?? null
  const going = new Map<string, GoingRun>()
  const restoring = new Map<string, Promise<unknown>>()
  const keeping = new Set<Promise<unknown>>()
  /** The runs that were started or resumed in this process. */
  const own = new Set<string>()
  let stopping = false

  function go(run_id: string, opened?: ActiveRun): void {
    own.add(run_id)
    const stops = createStopSignals()
    let activeRun: ActiveRun
    try {
      activeRun = opened ?? activeRunOf(mustRun(run_id))
    } catch (error) {
      interrupted(run_id, error)
      return
    }
    const done = runLoop(ports, activeRun, stops)
      .catch((error: unknown) => interrupted(run_id, error))
      .finally(() => going.delete(run_id))
    going.set(run_id, { stops, activeRun, done })
  }

  function interrupted(run_id: string, error: unknown): void {
    ports.log(`run ${run_id} was interrupted: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }

  function mustRun(run_id: string): RunRecord {
    const run = journal.run(run_id)
    if (!run) throw new Error(`there is no run ${run_id}`)
    return run
  }

  function activeRunOf(run: RunRecord): ActiveRun {
    let wire: ((tool: string) => string) | null = null
    function wireName(tool: string): string {
      // A workflow has no model that tools are offered to.
      if (run.workflow_run_id !== null) return tool
      wire ??= offeredTools(ports, run).wire
      return wire(tool)
    }
    return openActiveRun(ports, run.run_id, wireName)
  }

  /** One run at a time: two would write the same conversation and the same files. */
  function openRunOf(conversation: number, except?: string): RunRecord | undefined {
    return journal.runsOf(conversation).find(({ run_id, state }) => run_id !== except && (state === 'running' || state === 'paused'))
  }

  function busy(open: RunRecord): Outcome<never> {
    if (open.device_id !== store.device_id) return openOnOtherDevice(open, nameOf)
    return refuse('run_busy', `run ${open.run_id} of this conversation is ${open.state}: stop it first`)
  }

  function start(request: StartRequest): Outcome<RunRecord> {
    const started = stopping ? refuse<RunRecord>('storage_unavailable', 'the runtime is stopping') : tryStart(request)
    return started.ok ? started : rejections.start(request.conversation_id, started)
  }

  function tryStart({ conversation_id, author, text, attachments = [], model, sandbox_mode, key }: StartRequest): Outcome<RunRecord> {
    const started = key === undefined ? undefined : journal.startedBy(key)
    if (started) return { ok: true, value: started }
    const conversation = journal.conversations.get(conversation_id)
    if (!conversation) return refuse('not_found', `there is no conversation ${conversation_id}`)
    if (conversation.deleted_at !== null)
      return refuse('transition_refused', `conversation ${conversation_id} is deleted: restore it, or start a new conversation`)
    const agent = ports.agent(conversation.agent_id)
    if (!agent) return refuse('not_found', `there is no agent ${conversation.agent_id}`)
    const open = openRunOf(conversation.no)
    if (open) return busy(open)
    if (!existsSync(conversation.workspace)) {
      const place = conversation.workspace || 'no folder on this device'
      const message = `the folder of the conversation does not exist (${place}): choose an existing folder`
      return invalidField('workspace', 'must be a folder that exists on this device', message)
    }
    const back = journal.runsOf(conversation.no).find(({ run_id }) => restoring.has(run_id))
    if (back) return refuse('run_busy', `run ${back.run_id} of this conversation is being restored`)
    const stuck = journal.runsOf(conversation.no).find(({ run_id }) => kept.isStuck(run_id))
    if (stuck) return restoreInterrupted(stuck.run_id)
    const name = model ?? agent.model ?? ports.defaultModel()
    if (name === null || !ports.modelFor(name)) {
      const failure_contract = noModel(name)
      return { ok: false, code: 'model_unavailable', message: failure_contract.details.message, failure_contract }
    }
    const run = store.transaction(() => {
      const previous = journal.runsOf(conversation.no).at(-1)
      const message_id = journal.messages.write({ conversation: conversation.no, run: null, role: 'user', author, text, attachments })
      const begun = journal.start({
        conversation: conversation.no,
        agent_id: conversation.agent_id,
        title: titleOf(text),
        model: name,
        sandbox_mode: sandbox_mode ?? agent.sandbox_mode,
        message_id,
        ...(key === undefined ? {} : { start_key: key }),
      })
      if (!previous) for (const step of settingsBeforeFirstRun(conversation, begun)) journal.append(begun.run_id, step)
      for (const news of changesAtStart(previous, begun, nameOf)) writeStatus(journal, begun, news)
      return begun
    })
    ports.crashPoint('run_started')
    go(run.run_id)
    return { ok: true, value: run }
  }

  async function compact(conversation_id: string): Promise<Outcome<Compacted>> {
    const conversation = journal.conversations.get(conversation_id)
    if (!conversation) return refuse('not_found', `there is no conversation ${conversation_id}`)
    const last = journal.runsOf(conversation.no).at(-1)
    if (!last) return { ok: true, value: { tokens_before: 0, tokens_after: 0, through_seq: 0, summary: '' } }
    const guarded = guard(last.run_id)
    if (!guarded.ok) return guarded
    const run = guarded.value
    if (run.state === 'running') return refuse('run_busy', `run ${run.run_id} of this conversation is running: stop it first`)
    return { ok: true, value: await compactNow(ports, activeRunOf(run)) }
  }

  /** A process for one command continues only what it has started. */
  function toContinue(): readonly RunRecord[] {
    if (stopping) return []
    return journal
      .toContinue()
      .filter(({ run_id }) => (ports.isResident || own.has(run_id)) && !going.has(run_id) && !restoring.has(run_id))
  }

  function resumeByItself(run: RunRecord): void {
    const { run_id } = run
    try {
      const resumed = resume(run_id, undefined, { by_itself: true })
      if (resumed.ok) return
      ports.log(`run ${run_id} cannot be continued automatically: ${resumed.message}`)
      waitForPerson(found(run_id) ?? run)
    } catch (error) {
      // The other runs must still be continued.
      ports.log(`run ${run_id} cannot be continued automatically: ${String(error)}`)
    }
  }

  /** A run without a loop is not running, whatever its record says: a full disk may have prevented writing its end. */
  function found(run_id: string): RunRecord | undefined {
    const run = journal.run(run_id)
    if (run?.state !== 'running' || going.has(run_id) || run.device_id !== store.device_id) return run
    journal.append(run_id, { kind: 'run.paused', reason: 'crash' })
    return journal.run(run_id)
  }

  /** A run that can be changed here and now. */
  function guard(run_id: string): Outcome<RunRecord> {
    const run = found(run_id)
    if (!run) return refuse('not_found', `there is no run ${run_id}`)
    if (run.device_id !== store.device_id) return runOfOtherDevice(run, nameOf)
    return restoring.has(run_id) ? refuse('run_busy', `run ${run_id} is being restored`) : { ok: true, value: run }
  }

  function resume(run_id: string, answer?: WaitAnswer, here: DeviceOnlyFields = {}): Outcome<ResumeResult> {
    const resumed = stopping ? refuse<ResumeResult>('storage_unavailable', 'the runtime is stopping') : tryResume(run_id, answer, here)
    return resumed.ok ? resumed : rejections.resume(run_id, resumed)
  }

  function tryResume(run_id: string, answer: WaitAnswer | undefined, here: DeviceOnlyFields): Outcome<ResumeResult> {
    const guarded = guard(run_id)
    if (!guarded.ok) return guarded
    const run = guarded.value
    const active = going.get(run_id)
    if (active) return answer && run.workflow_run_id !== null ? answerCarrier(active, run, answer) : alreadyRunning(run_id)
    if (kept.isStuck(run_id)) return restoreInterrupted(run_id)
    const next = transition(runTransitions, run.state, 'resume_agent_run')
    if (!next.ok) return refuse('transition_refused', next.message)
    const activeRun = activeRunOf(run)
    const failure_contract = faultOf(run)
    if (failure_contract) {
      activeRun.append({ kind: 'error', failure_contract })
      return { ok: false, code: 'resume_unavailable', message: failure_contract.details.message, failure_contract }
    }
    const held = answer || run.pause_reason !== 'user' || activeRun.isCarrier ? undefined : pendingWait(ports, run)
    if (held) return waitAgain(activeRun, run, held.for)
    let refusal: AnswerRefusal | null = null
    const resumed = store.transaction((): ResumeResult | null => {
      refusal = answer ? recordAnswer(ports, activeRun, run, answer) : mustWait(activeRun, run)
      if (refusal) return null
      const resume_contract = resumeContract(ports, activeRun, run)
      const step = activeRun.append({ kind: 'run.resumed', resume_contract }, here)
      settleInterrupted(ports, activeRun)
      return { run_id, state: 'running', step_id: step.step_id, resume_contract }
    })
    if (refusal) return refuse((refusal as AnswerRefusal).code, (refusal as AnswerRefusal).message)
    if (!resumed) throw new Error(`run ${run_id} was neither resumed nor refused`)
    if (answer) ports.crashPoint(answer.kind === 'approval' ? 'approval_answered' : 'question_answered')
    ports.crashPoint('run_resumed')
    // A workflow may have thousands of steps: they are not read twice.
    go(run_id, run.workflow_run_id === null ? undefined : activeRun)
    return { ok: true, value: resumed }
  }

  /** A user had paused it while it waited: from now on, the wait continues it again. */
  function waitAgain(activeRun: ActiveRun, run: RunRecord, reason: PauseReason): Outcome<ResumeResult> {
    const resume_contract = resumeContract(ports, activeRun, run)
    const { run_id, state } = pauseAgain(run, reason, {})
    return { ok: true, value: { run_id, state, step_id: journal.steps(run_id).at(-1)?.step.step_id ?? '', resume_contract } }
  }

  /** One call of a workflow may wait while others go on. */
  function mustWait(activeRun: ActiveRun, run: RunRecord): AnswerRefusal | null {
    return activeRun.isCarrier ? null : stillWaiting(ports, run, resumeContract(ports, activeRun, run))
  }

  /** The answer to one call of a workflow whose other calls are running. */
  function answerCarrier({ activeRun }: GoingRun, run: RunRecord, answer: WaitAnswer): Outcome<ResumeResult> {
    const refusal = store.transaction(() => recordAnswer(ports, activeRun, run, answer))
    if (refusal) return refuse(refusal.code, refusal.message)
    ports.crashPoint(answer.kind === 'approval' ? 'approval_answered' : 'question_answered')
    wakeCarrier(run.run_id)
    const { step_id } = journal.steps(run.run_id, { after: activeRun.run().next_seq - 2, limit: 1 })[0]?.step ?? { step_id: '' }
    return { ok: true, value: { run_id: run.run_id, state: 'running', step_id, resume_contract: resumeContract(ports, activeRun, run) } }
  }

  function wakeCarrier(run_id: string): void {
    const run = journal.run(run_id)
    if (run === undefined || stopping || restoring.has(run_id) || !(ports.isResident || own.has(run_id))) return
    const active = going.get(run_id)
    if (active && run.state === 'running') ports.carrierOf(run)?.wake()
    // It has just paused, without knowing of this.
    else if (active) void active.done.then(() => wakeCarrier(run_id))
    else if (run.state === 'paused' && run.pause_reason !== 'user' && run.pause_reason !== 'restore') resumeByItself(run)
  }

  /** The folder or agent of a run may have been removed while it waited. */
  function faultOf({ agent_id, workspace }: RunRecord): FailureContract | null {
    if (!ports.agent(agent_id)) return agentGone(agent_id, 'resume')
    return existsSync(workspace) ? null : workspaceGone(workspace)
  }

  async function restore(
    run_id: string,
    checkpoint_id: string,
    on_conflict: ConflictChoice,
    options?: RestoreOptions,
  ): Promise<Outcome<Restored>> {
    const restored = await tryRestore(run_id, checkpoint_id, on_conflict, options)
    return restored.ok ? restored : rejections.restore(run_id, checkpoint_id, restored)
  }

  async function tryRestore(
    run_id: string,
    checkpoint_id: string,
    on_conflict: ConflictChoice,
    options: RestoreOptions = {},
  ): Promise<Outcome<Restored>> {
    const guarded = guard(run_id)
    if (!guarded.ok) return guarded
    const run = guarded.value
    const open = openRunOf(run.conversation, run_id)
    // A paused run continues with the files as it finds them; only one that works must not be disturbed.
    const working = options.chosen ? workingIn([run_id, ...options.chosen.runs.keys()], open) : open
    if (working) return busy(working)
    if (stopping) return refuse('storage_unavailable', 'the runtime is stopping')
    if (kept.isStuck(run_id)) return restoreInterrupted(run_id)
    if (kept.get(checkpoint_id)?.run_id !== run_id)
      return refuse('checkpoint_expired', `run ${run_id} has no recovery point ${checkpoint_id}`)
    const misplaced = options.workspace === undefined ? null : workspaceNotMoved<Restored>(run, options.workspace)
    if (misplaced) return misplaced
    const restored = pauseAndRestore(run, checkpoint_id, on_conflict, options)
    // Set before the run is paused, so that nothing resumes it in between.
    restoring.set(run_id, restored)
    try {
      return await restored
    } finally {
      restoring.delete(run_id)
    }
  }

  function workingIn(run_ids: readonly string[], open: RunRecord | undefined): RunRecord | undefined {
    const all = [open, ...run_ids.map((run_id) => journal.run(run_id))]
    return all.find((one) => one?.state === 'running')
  }

  async function pauseAndRestore(
    run: RunRecord,
    checkpoint_id: string,
    on_conflict: ConflictChoice,
    options: RestoreOptions = {},
  ): Promise<Outcome<Restored>> {
    const { run_id } = run
    const active = going.get(run_id)
    active?.stops.stop('restore', null)
    await active?.done
    // Changes of a running process cannot be restored: selecting them ends the process.
    if ((options.background ?? 'none') !== 'none') await ports.endBackground(checkpoint_id)
    const now = journal.run(run_id) ?? run
    const end = await restoreRunCheckpoint({ ...ports, checkpoints: kept }, now, checkpoint_id, on_conflict, options)
    if (end.ok) return end
    const { code, failure_contract } = end
    const { message } = failure_contract.details
    if (!active) return { ok: false, code, message, failure_contract }
    const said = `${message}; the run was paused for the restore: resume it to continue without restoring`
    return {
      ok: false,
      code,
      message: said,
      failure_contract: { ...failure_contract, details: { ...failure_contract.details, message: said } },
    }
  }

  async function keepPoint(run_id: string): Promise<Outcome<CreatedCheckpoint>> {
    const guarded = guard(run_id)
    if (!guarded.ok) return guarded
    const point = createCheckpoint({ ...ports, checkpoints: kept }, guarded.value)
    keeping.add(point)
    return await point.finally(() => keeping.delete(point))
  }

  /** Pausing a run that waits for its model means that it should wait for the user instead. */
  function waitForPerson(run: RunRecord): RunRecord {
    return pauseAgain(run, 'user', {})
  }

  function pauseAgain(run: RunRecord, reason: PauseReason, here: DeviceOnlyFields): RunRecord {
    const activeRun = activeRunOf(run)
    return store.transaction(() => {
      activeRun.append({ kind: 'run.resumed', resume_contract: resumeContract(ports, activeRun, run) })
      activeRun.append({ kind: 'run.paused', reason }, here)
      return activeRun.run()
    })
  }

  async function halt(run_id: string, kind: StopKind, reason: string | null): Promise<Outcome<RunRecord>> {
    const guarded = guard(run_id)
    if (!guarded.ok) return guarded
    const run = guarded.value
    const isCarried = run.workflow_run_id !== null && run.state === 'paused' && run.pause_reason !== 'user'
    const continues = run.retry_at !== null || run.pause_reason === 'child' || isCarried
    if (kind === 'pause' && continues) return { ok: true, value: waitForPerson(run) }
    const next = transition(runTransitions, run.state, kind === 'cancel' ? 'cancel' : 'pause')
    if (!next.ok) return refuse('transition_refused', next.message)
    if (kind === 'cancel' && run.workflow_run_id !== null) return await cancelCarrier(run, reason)
    const active = going.get(run_id)
    if (active) {
      active.stops.stop(kind, reason)
      await active.done
    } else {
      const activeRun = activeRunOf(run)
      cancelRun(ports, activeRun, reason)
      await ended(ports, activeRun)
    }
    const now = journal.run(run_id)
    if (!now) return refuse('not_found', `there is no run ${run_id}`)
    // It paused by itself before the request reached it, or was answered since: a cancel must not be lost.
    if (kind === 'cancel' && !isTerminalRunState(now.state)) return await halt(run_id, kind, reason)
    return { ok: true, value: now }
  }

  async function interrupt(run_id: string): Promise<Outcome<RunRecord>> {
    const guarded = guard(run_id)
    if (!guarded.ok) return guarded
    if (stopping) return refuse('storage_unavailable', 'the runtime is stopping')
    if (guarded.value.workflow_run_id !== null)
      return refuse('transition_refused', `run ${run_id} carries a workflow, which reads no messages`)
    const active = going.get(run_id)
    active?.stops.stop('pause', null)
    await active?.done
    const run = found(run_id)
    if (!run) return refuse('not_found', `there is no run ${run_id}`)
    // It answered before the request reached it, or another window was faster.
    if (run.state !== 'paused' || going.has(run_id)) return { ok: true, value: run }
    if (kept.isStuck(run_id)) return restoreInterrupted(run_id)
    const activeRun = activeRunOf(run)
    const failure_contract = faultOf(run)
    if (failure_contract) return { ok: false, code: 'resume_unavailable', message: failure_contract.details.message, failure_contract }
    store.transaction(() => {
      const resume_contract = resumeContract(ports, activeRun, run)
      endTurn(ports, activeRun)
      activeRun.append({ kind: 'run.resumed', resume_contract })
    })
    ports.crashPoint('run_resumed')
    go(run_id)
    return { ok: true, value: mustRun(run_id) }
  }

  /** What it has done may have to be taken back first. */
  async function cancelCarrier(run: RunRecord, reason: string | null): Promise<Outcome<RunRecord>> {
    const { run_id } = run
    const carrier = ports.carrierOf(run)
    store.transaction(() => {
      carrier?.cancel(reason)
      // If this process ends before it has resumed the run, the next one does.
      if (!going.has(run_id)) pauseAgain(run, 'workflow', { retry_at: store.clock.now() })
    })
    const resumed = going.has(run_id) ? null : resume(run_id, undefined, { by_itself: true })
    if (resumed && !resumed.ok) return resumed
    carrier?.wake()
    await going.get(run_id)?.done
    const now = journal.run(run_id)
    return now ? { ok: true, value: now } : refuse('not_found', `there is no run ${run_id}`)
  }

  return {
    start,
    resume: (run_id, answer) => resume(run_id, answer),
    pause: (run_id) => halt(run_id, 'pause', null),
    interrupt,
    cancel: (run_id, reason) => halt(run_id, 'cancel', reason),
    restore,
    createCheckpoint: async (run_id) => (stopping ? refuse('storage_unavailable', 'the runtime is stopping') : keepPoint(run_id)),
    compact: async (conversation_id) =>
      stopping ? refuse('storage_unavailable', 'the runtime is stopping') : await compact(conversation_id),
    isActive: () => going.size > 0,
    async settled(run_id) {
      await going.get(run_id)?.done
      return journal.run(run_id)
    },
    recover() {
      const broken = journal.runs({ state: 'running', limit: -1 }).filter(({ device_id }) => device_id === store.device_id)
      for (const run of broken) {
        ports.crashPoint('run_found_broken')
        const activeRun = activeRunOf(run)
        // Recorded now, not at the next resume: a card must not show "running" for days.
        store.transaction(() => {
          settleInterrupted(ports, activeRun)
          const reason = completedWaitReason(ports, activeRun) ?? 'crash'
          const continues = activeRun.isCarrier || ports.isAwaited(run.run_id)
          const stopped_at = run.updated_at
          activeRun.append({ kind: 'run.paused', reason }, continues ? { stopped_at, retry_at: store.clock.now() } : { stopped_at })
        })
      }
      return broken.length
    },
    retryDue() {
      if (stopping) return 0
      const due = journal.toRetry(store.clock.now())
      for (const run of due) resumeByItself(run)
      return due.length
    },
    startCarrier({ conversation, agent_id, title, sandbox_mode, workflow_run_id }) {
      const run = journal.start({ conversation, agent_id, title, model: 'none', sandbox_mode, message_id: null, workflow_run_id })
      store.afterCommit(() => {
        ports.crashPoint('run_started')
        go(run.run_id)
      })
      return run
    },
    startMember(member) {
      const run = startMember(ports, member)
      store.afterCommit(() => {
        ports.crashPoint('run_started')
        go(run.run_id)
      })
      return run
    },
    wakeCarrier,
    endWaits: (subject, end) => endWaitsFor(ports, subject, end),
    endDueWaits() {
      endDueWaits(ports)
      return toContinue().length > 0
    },
    continueWaiting() {
      for (const run of toContinue()) resumeByItself(run)
    },
    async stop() {
      stopping = true
      for (const { stops } of going.values()) stops.stop('shutdown', null)
      await Promise.all([...going.values()].map(({ done }) => done))
      await Promise.allSettled([...restoring.values(), ...keeping])
    },
  }
}

function alreadyRunning(run_id: string): Outcome<never> {
  return refuse('run_busy', `run ${run_id} is already running`)
}

function refuse<Value>(code: CommandErrorCode, message: string): Outcome<Value> {
  return { ok: false, code, message }
}
