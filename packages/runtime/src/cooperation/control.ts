// A tree of runs, controlled as one: what holds for a run holds for the runs that it started.
import { isTerminalRunState, type PauseReason } from '@tandem/contract/run'
import type { Outcome, Rejection } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import type { MemberRecord } from './record/member.ts'
import type { MemberRows } from './record/member-rows.ts'

export interface TeamControl {
  pause(run_id: string): Promise<Outcome<RunRecord>>
  resume: ReadyRuns['resume']
  /** Resumes those of a run and what it started that are paused for a reason which no longer holds. */
  resumePausedFor(reason: PauseReason, run_id: string): Promise<void>
  cancel(run_id: string, reason: string | null): Promise<Outcome<RunRecord>>
  /** Pauses what is running of a run and what it started. */
  pauseAll(run_id: string): Promise<void>
  /** The run has ended: nothing that it started runs on. */
  cancelStartedBy(run_id: string): Promise<void>
}

export interface ControlPorts {
  readonly journal: Pick<Journal, 'run'>
  readonly rows: Pick<MemberRows, 'startedBy'>
  runs(): Pick<ReadyRuns, 'pause' | 'resume' | 'cancel'>
  /** Before a member is resumed that a restore has withdrawn: why it cannot be, or null. */
  readmit(run_id: string): Rejection | null
}

/** Reasons for which a member is resumed together with the run that started it. The others end by themselves or need an answer. */
const resumable: readonly (PauseReason | null)[] = ['user', 'crash', 'restore', 'model', 'budget', null]

export function openControl({ journal, rows, runs, readmit }: ControlPorts): TeamControl {
  /** What a run started, and so on, without what has ended. */
  function openBelow(run_id: string, isWanted: (member: MemberRecord) => boolean = () => true): readonly RunRecord[] {
    return rows
      .startedBy(run_id)
      .filter(isWanted)
      .flatMap((member) => {
        const run = journal.run(member.run_id)
        return [...(run && !isTerminalRunState(run.state) ? [run] : []), ...openBelow(member.run_id, isWanted)]
      })
  }

  /** Each before what it started, so that it starts nothing more: what is below is looked up when it is paused. */
  async function pauseBelow(run_id: string, isWanted: (run: RunRecord) => boolean): Promise<void> {
    for (const { run_id: member } of rows.startedBy(run_id)) {
      const run = journal.run(member)
      if (run && isWanted(run)) await runs().pause(member)
      await pauseBelow(member, isWanted)
    }
  }

  /** A restore has undone the start of a withdrawn member: only a user resumes it, by itself. */
  function standingBelow(run_id: string): readonly RunRecord[] {
    return openBelow(run_id, ({ is_withdrawn }) => !is_withdrawn)
  }

  return {
    async pause(run_id) {
      const paused = await runs().pause(run_id)
      await pauseBelow(run_id, ({ state, pause_reason }) => state === 'running' || pause_reason === 'child')
      const run = journal.run(run_id)
      return !paused.ok && run?.state === 'paused' && openBelow(run_id).length > 0 ? { ok: true, value: run } : paused
    },
    async resume(run_id, answer) {
      const refusal = readmit(run_id)
      if (refusal) return refusal
      if (answer) return await runs().resume(run_id, answer)
      const below = standingBelow(run_id).filter(({ state, pause_reason }) => state === 'paused' && resumable.includes(pause_reason))
      const resumed = await runs().resume(run_id)
      const members = await Promise.all(below.toReversed().map((member) => runs().resume(member.run_id)))
      // A run that waits for its members cannot be resumed itself; they are.
      return resumed.ok ? resumed : (members.find((one) => one.ok) ?? resumed)
    },
    async resumePausedFor(reason, run_id) {
      const first = journal.run(run_id)
      for (const { run_id: paused, state, pause_reason } of [...(first ? [first] : []), ...standingBelow(run_id)])
        if (state === 'paused' && pause_reason === reason && readmit(paused) === null) await runs().resume(paused)
    },
    cancel: (run_id, reason) => runs().cancel(run_id, reason),
    async pauseAll(run_id) {
      if (journal.run(run_id)?.state === 'running') await runs().pause(run_id)
      await pauseBelow(run_id, ({ state }) => state === 'running')
    },
    async cancelStartedBy(run_id) {
      for (const { run_id: member } of rows.startedBy(run_id)) {
        const run = journal.run(member)
        if (run && !isTerminalRunState(run.state)) await runs().cancel(member, 'the run that started it has ended')
      }
    },
  }
}
