import type { LocalRun, PendingApproval } from '@tandem/contract/command'
import { timestamp } from '../clock/clock.ts'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageBy, pageOf, positionOf } from '../feature/cursor.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { type RunRecord, toRun } from '../journal/run-record.ts'
import type { PlaceInTeam } from '../journal/team-places.ts'
import type { Features } from './features.ts'

export function runHandlers({ journal, runs, workspaces }: Pick<Features, 'journal' | 'runs' | 'workspaces'>): CommandTable {
  /** A run that was just reported as paused may still be cleaning up; an early answer waits until it is done. */
  async function resume(run_id: string, answer?: Parameters<typeof runs.resume>[1]) {
    if (journal.run(run_id)?.state === 'paused') await runs.settled(run_id)
    return await runs.resume(run_id, answer)
  }

  /** A conversation keeps its folder while the folder exists: its runs and recovery points refer to it. */
  function settleIn(conversation_id: string, workspace: string): Outcome<unknown> {
    const folder = workspaces.resolve(workspace)
    const conversation = journal.conversations.get(conversation_id)
    if (!folder.ok || !conversation || folder.value === conversation.workspace) return folder
    if (workspaces.resolve(conversation.workspace).ok) {
      const message = `this conversation uses the folder ${conversation.workspace}: choose the other folder in its header, or start a new conversation for ${workspace}`
      return invalidField('workspace', 'is not the folder of this conversation', message)
    }
    // While a run is open, starting another is refused with the reason, and the folder is not changed.
    const isFree = journal.runsOf(conversation.no).every(({ state }) => state !== 'running' && state !== 'paused')
    if (isFree) journal.conversations.settle(conversation_id, folder.value)
    return folder
  }

  return {
    async agent_run_start({ workspace, ...request }) {
      const placed = workspace === undefined ? null : settleIn(request.conversation_id, workspace)
      return placed && !placed.ok ? placed : shown(journal, await runs.start({ ...request, author: 'person' }))
    },
    agent_run_pause: async ({ run_id }) => shown(journal, await runs.pause(run_id)),
    agent_run_cancel: async ({ run_id, reason = null }) => shown(journal, await runs.cancel(run_id, reason)),
    resume_agent_run: ({ run_id }) => resume(run_id),
    agent_run_resume: ({ run_id, answer }) => resume(run_id, answer),
  }
}

export function stepHandlers({ journal }: Pick<Features, 'journal'>): CommandTable {
  return {
    agent_run_list({ agent_id, conversation_id, state, ...paging }) {
      const from = positionOf('agent_run_list', paging, ['number'])
      if (!from.ok) return from
      const records = journal.runs({
        ...(agent_id === undefined ? {} : { agent_id }),
        ...(conversation_id === undefined ? { shown: true } : { conversation_id }),
        ...(state === undefined ? {} : { state }),
        ...(from.value ? { before: Number(from.value[0]) } : {}),
        limit: limitOf(paging) + 1,
      })
      const { items, next_cursor } = pageOf('agent_run_list', records, ({ no }) => [no], paging)
      return { ok: true, value: { items: toLocalRuns(journal, items), next_cursor } }
    },
    agent_run_get({ run_id }) {
      const record = journal.run(run_id)
      return record ? shown(journal, { ok: true, value: record }) : noRun(run_id)
    },
    agent_run_list_steps({ run_id, after_seq = -1, ...paging }) {
      if (!journal.run(run_id)) return noRun(run_id)
      const from = positionOf('agent_run_list_steps', paging, ['string', 'number'])
      if (!from.ok) return from
      if (from.value && from.value[0] !== run_id) return { ok: false, code: 'invalid_cursor', message: 'the cursor belongs to another run' }
      const after = Number(from.value?.[1] ?? after_seq)
      const steps = journal.steps(run_id, { after, limit: limitOf(paging) + 1 }).map(({ step }) => step)
      return { ok: true, value: pageOf('agent_run_list_steps', steps, ({ seq }) => [run_id, seq], paging) }
    },
  }
}

export function pendingHandlers({ journal, approvals, questions }: Pick<Features, 'journal' | 'approvals' | 'questions'>): CommandTable {
  /** Approvals refer to their run by its number. */
  function pendingApprovals(run_id: string | undefined): readonly PendingApproval[] {
    const waiting = run_id === undefined ? openRuns(journal) : [journal.run(run_id)].filter((run) => run !== undefined)
    return waiting
      .flatMap(({ no, run_id: of }) => approvals.pending(no).map((record) => ({ ...record, of })))
      .sort((left, right) => left.asked_at - right.asked_at || (left.approval_id < right.approval_id ? -1 : 1))
      .map(({ of, asked_at, prompt }) => ({ run_id: of, asked_at: timestamp(asked_at), approval: prompt }))
  }

  return {
    approval_list({ run_id, ...paging }) {
      return pageBy('approval_list', pendingApprovals(run_id), ({ approval }) => approval.approval_id, paging)
    },
    question_list({ run_id, ...paging }) {
      const all = questions
        .pending(run_id)
        .map(({ run_id: of, asked_at, prompt }) => ({ run_id: of, asked_at: timestamp(asked_at), question: prompt }))
      return pageBy('question_list', all, ({ question }) => question.question_id, paging)
    },
  }
}

function openRuns(journal: Journal): readonly RunRecord[] {
  return (['paused', 'running'] as const).flatMap((state) => journal.runs({ state, limit: -1 }))
}

function shown(journal: Journal, outcome: Outcome<RunRecord>): Outcome<{ run: LocalRun }> {
  if (!outcome.ok) return outcome
  const [run] = toLocalRuns(journal, [outcome.value])
  return run ? { ok: true, value: { run } } : noRun(outcome.value.run_id)
}

function toLocalRuns(journal: Journal, records: readonly RunRecord[]): LocalRun[] {
  const used = journal.memoriesUsed(records.map(({ no }) => no))
  const places = journal.placesInTeams(records.map(({ run_id }) => run_id))
  return records.map((record) => toLocalRun(record, used, places.get(record.run_id)))
}

function toLocalRun(record: RunRecord, used: ReadonlyMap<number, number>, place: PlaceInTeam | undefined): LocalRun {
  const { no, pause_reason, turns, workspace } = record
  const retry_at = record.retry_at === null ? null : timestamp(record.retry_at)
  return { ...toRun(record), pause_reason, retry_at, turns, memories_used: used.get(no) ?? 0, workspace, ...(place ? { team: place } : {}) }
}

function noRun(run_id: string): Outcome<never> {
  return { ok: false, code: 'not_found', message: `there is no run ${run_id} on this device` }
}
