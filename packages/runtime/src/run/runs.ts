// Runs, as the command layer uses them: start, resume with or without an answer, pause, cancel, restore.
import type { ConflictChoice } from '@tandem/contract/checkpoint'
import type { Wait, WaitEnd } from '../call/wait.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { type Outcome, rejection } from '../feature/outcome.ts'
import type { NewRun } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { type Compacted, compactNow } from './compact-now.ts'
import { openHalting } from './control/halt-run.ts'
import { openLiveRuns } from './control/live-runs.ts'
import { openRestoring } from './control/restore-run.ts'
import { openResuming, type ResumeResult } from './control/resume-run.ts'
import { openStarting } from './control/start-run.ts'
import type { LoopPorts } from './ports.ts'
import type { CreatedCheckpoint } from './recovery/on-demand.ts'
import type { Restored, RestoreOptions } from './recovery/restore.ts'
import { openRejections } from './rejections.ts'
import { settleInterrupted, type WaitAnswer } from './resume.ts'
import { type MemberStart, startMember } from './start-member.ts'
import type { StartRequest } from './start-request.ts'
import { openModelMemory } from './turn/model-memory.ts'
import { completedWaitReason, endDueWaits, endWaitsFor } from './waiting.ts'

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

/** `kept` are the checkpoints themselves; `ports.checkpoints` is how the loop takes them. */
export function openRuns(given: Omit<LoopPorts, 'memory'>, kept: Checkpoints): Runs {
  const ports: LoopPorts = { ...given, memory: openModelMemory() }
  const { store, journal } = ports
  const live = openLiveRuns(ports)
  const control = { ports, kept, live, rejections: openRejections(ports) }
  const resuming = openResuming(control)
  const restoring = openRestoring(control)
  const halt = openHalting(control, resuming)

  async function compact(conversation_id: string): Promise<Outcome<Compacted>> {
    const conversation = journal.conversations.get(conversation_id)
    if (!conversation) return rejection('not_found', `there is no conversation ${conversation_id}`)
    const last = journal.runsOf(conversation.no).at(-1)
    if (!last) return { ok: true, value: { tokens_before: 0, tokens_after: 0, through_seq: 0, summary: '' } }
    const guarded = live.guard(last.run_id)
    if (!guarded.ok) return guarded
    const run = guarded.value
    if (run.state === 'running') return rejection('run_busy', `run ${run.run_id} of this conversation is running: stop it first`)
    return { ok: true, value: await compactNow(ports, live.activeRunOf(run)) }
  }

  function toContinue(): readonly RunRecord[] {
    if (live.isStopping()) return []
    return journal.toContinue().filter(({ run_id }) => live.isContinuedHere(run_id) && !live.has(run_id) && !live.isRestoring(run_id))
  }

  return {
    start: openStarting(control),
    resume: (run_id, answer) => resuming.resume(run_id, answer),
    pause: (run_id) => halt(run_id, 'pause', null),
    interrupt: resuming.interrupt,
    cancel: (run_id, reason) => halt(run_id, 'cancel', reason),
    restore: restoring.restore,
    createCheckpoint: restoring.createCheckpoint,
    compact: async (conversation_id) =>
      live.isStopping() ? rejection('storage_unavailable', 'the runtime is stopping') : await compact(conversation_id),
    isActive: live.isActive,
    async settled(run_id) {
      await live.get(run_id)?.done
      return journal.run(run_id)
    },
    recover() {
      const broken = journal.runs({ state: 'running', limit: -1 }).filter(({ device_id }) => device_id === store.device_id)
      for (const run of broken) {
        ports.crashPoint('run_found_broken')
        const activeRun = live.activeRunOf(run)
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
      if (live.isStopping()) return 0
      const due = journal.toRetry(store.clock.now())
      for (const run of due) resuming.resumeByItself(run)
      return due.length
    },
    startCarrier({ conversation, agent_id, title, sandbox_mode, workflow_run_id }) {
      const run = journal.start({ conversation, agent_id, title, model: 'none', sandbox_mode, message_id: null, workflow_run_id })
      store.afterCommit(() => {
        ports.crashPoint('run_started')
        live.go(run.run_id)
      })
      return run
    },
    startMember(member) {
      const run = startMember(ports, member)
      store.afterCommit(() => {
        ports.crashPoint('run_started')
        live.go(run.run_id)
      })
      return run
    },
    wakeCarrier: resuming.wakeCarrier,
    endWaits: (subject, end) => endWaitsFor(ports, subject, end),
    endDueWaits() {
      endDueWaits(ports)
      return toContinue().length > 0
    },
    continueWaiting() {
      for (const run of toContinue()) resuming.resumeByItself(run)
    },
    async stop() {
      await live.stop()
      await restoring.settled()
    },
  }
}
