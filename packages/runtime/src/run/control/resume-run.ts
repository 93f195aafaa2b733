// Resumes runs: when a user asks for it or answers, and when what they waited for has happened.
import { existsSync } from 'node:fs'
import type { FailureContract } from '@tandem/contract/failure'
import { type PauseReason, type ResumeContract, runTransitions } from '@tandem/contract/run'
import { transition } from '@tandem/contract/transition'
import { type Outcome, rejection } from '../../feature/outcome.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { DeviceOnlyFields } from '../../journal/step.ts'
import type { ActiveRun } from '../active-run.ts'
import { agentGone, workspaceGone } from '../failures.ts'
import { endTurn } from '../interrupt.ts'
import { restoreInterrupted } from '../recovery/restore.ts'
import { type AnswerRefusal, recordAnswer, resumeContract, settleInterrupted, stillWaiting, type WaitAnswer } from '../resume.ts'
import { pendingWait } from '../waiting.ts'
import type { ControlPorts, LiveRun } from './live-runs.ts'

export interface ResumeResult {
  readonly run_id: string
  readonly state: RunRecord['state']
  readonly step_id: string
  readonly resume_contract: ResumeContract
}

export interface Resuming {
  resume(run_id: string, answer?: WaitAnswer, here?: DeviceOnlyFields): Outcome<ResumeResult>
  interrupt(run_id: string): Promise<Outcome<RunRecord>>
  resumeByItself(run: RunRecord): void
  wakeCarrier(run_id: string): void
  /** A run that waits gets another reason to wait. */
  pauseAgain(run: RunRecord, reason: PauseReason, here: DeviceOnlyFields): RunRecord
  /** Pausing a run that waits for its model means that it should wait for the user instead. */
  waitForPerson(run: RunRecord): RunRecord
}

export function openResuming({ ports, kept, live, rejections }: ControlPorts): Resuming {
  const { store, journal } = ports

  function resume(run_id: string, answer?: WaitAnswer, here: DeviceOnlyFields = {}): Outcome<ResumeResult> {
    const resumed = live.isStopping() ? rejection('storage_unavailable', 'the runtime is stopping') : tryResume(run_id, answer, here)
    return resumed.ok ? resumed : rejections.resume(run_id, resumed)
  }

  function tryResume(run_id: string, answer: WaitAnswer | undefined, here: DeviceOnlyFields): Outcome<ResumeResult> {
    const guarded = live.guard(run_id)
    if (!guarded.ok) return guarded
    const run = guarded.value
    const active = live.get(run_id)
    if (active) return answer && run.workflow_run_id !== null ? answerCarrier(active, run, answer) : alreadyRunning(run_id)
    if (kept.isStuck(run_id)) return restoreInterrupted(run_id)
    const next = transition(runTransitions, run.state, 'resume_agent_run')
    if (!next.ok) return rejection('transition_refused', next.message)
    const activeRun = live.activeRunOf(run)
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
    if (refusal) return rejection((refusal as AnswerRefusal).code, (refusal as AnswerRefusal).message)
    if (!resumed) throw new Error(`run ${run_id} was neither resumed nor refused`)
    if (answer) ports.crashPoint(answer.kind === 'approval' ? 'approval_answered' : 'question_answered')
    ports.crashPoint('run_resumed')
    // A workflow may have thousands of steps: they are not read twice.
    live.go(run_id, run.workflow_run_id === null ? undefined : activeRun)
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
  function answerCarrier({ activeRun }: LiveRun, run: RunRecord, answer: WaitAnswer): Outcome<ResumeResult> {
    const refusal = store.transaction(() => recordAnswer(ports, activeRun, run, answer))
    if (refusal) return rejection(refusal.code, refusal.message)
    ports.crashPoint(answer.kind === 'approval' ? 'approval_answered' : 'question_answered')
    wakeCarrier(run.run_id)
    const { step_id } = journal.steps(run.run_id, { after: activeRun.run().next_seq - 2, limit: 1 })[0]?.step ?? { step_id: '' }
    return { ok: true, value: { run_id: run.run_id, state: 'running', step_id, resume_contract: resumeContract(ports, activeRun, run) } }
  }

  /** The folder or agent of a run may have been removed while it waited. */
  function faultOf({ agent_id, workspace }: RunRecord): FailureContract | null {
    if (!ports.agent(agent_id)) return agentGone(agent_id, 'resume')
    return existsSync(workspace) ? null : workspaceGone(workspace)
  }

  async function interrupt(run_id: string): Promise<Outcome<RunRecord>> {
    const guarded = live.guard(run_id)
    if (!guarded.ok) return guarded
    if (live.isStopping()) return rejection('storage_unavailable', 'the runtime is stopping')
    if (guarded.value.workflow_run_id !== null)
      return rejection('transition_refused', `run ${run_id} carries a workflow, which reads no messages`)
    const active = live.get(run_id)
    active?.stops.stop('pause', null)
    await active?.done
    // A call that runs may take minutes to end: meanwhile, a restore or the end of the runtime may have begun.
    const again = live.guard(run_id)
    if (!again.ok) return again
    if (live.isStopping()) return rejection('storage_unavailable', 'the runtime is stopping')
    const run = again.value
    // It answered before the request reached it, or another window was faster.
    if (run.state !== 'paused' || live.has(run_id)) return { ok: true, value: run }
    if (kept.isStuck(run_id)) return restoreInterrupted(run_id)
    const activeRun = live.activeRunOf(run)
    const failure_contract = faultOf(run)
    if (failure_contract) return { ok: false, code: 'resume_unavailable', message: failure_contract.details.message, failure_contract }
    store.transaction(() => {
      const resume_contract = resumeContract(ports, activeRun, run)
      endTurn(ports, activeRun)
      activeRun.append({ kind: 'run.resumed', resume_contract })
    })
    ports.crashPoint('run_resumed')
    live.go(run_id)
    return { ok: true, value: live.known(run_id) }
  }

  function resumeByItself(run: RunRecord): void {
    const { run_id } = run
    try {
      const resumed = resume(run_id, undefined, { by_itself: true })
      if (resumed.ok) return
      ports.log(`run ${run_id} cannot be continued automatically: ${resumed.message}`)
      waitForPerson(live.found(run_id) ?? run)
    } catch (error) {
      // The other runs must still be continued.
      ports.log(`run ${run_id} cannot be continued automatically: ${String(error)}`)
    }
  }

  function wakeCarrier(run_id: string): void {
    const run = journal.run(run_id)
    if (run === undefined || live.isStopping() || live.isRestoring(run_id) || !live.isContinuedHere(run_id)) return
    const active = live.get(run_id)
    if (active && run.state === 'running') ports.carrierOf(run)?.wake()
    // It has just paused, without knowing of this.
    else if (active) void active.done.then(() => wakeCarrier(run_id))
    else if (run.state === 'paused' && run.pause_reason !== 'user' && run.pause_reason !== 'restore') resumeByItself(run)
  }

  function waitForPerson(run: RunRecord): RunRecord {
    return pauseAgain(run, 'user', {})
  }

  function pauseAgain(run: RunRecord, reason: PauseReason, here: DeviceOnlyFields): RunRecord {
    const activeRun = live.activeRunOf(run)
    return store.transaction(() => {
      activeRun.append({ kind: 'run.resumed', resume_contract: resumeContract(ports, activeRun, run) })
      activeRun.append({ kind: 'run.paused', reason }, here)
      return activeRun.run()
    })
  }

  return { resume, interrupt, resumeByItself, wakeCarrier, pauseAgain, waitForPerson }
}

function alreadyRunning(run_id: string): Outcome<never> {
  return rejection('run_busy', `run ${run_id} is already running`)
}
