import type { CommandResult } from '@tandem/contract/command'
import { ToolFailure } from '../call/failure.ts'
import { timestamp } from '../clock/clock.ts'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageOf, positionOf } from '../feature/cursor.ts'
import { runNotFound } from '../feature/not-found.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { Budgets } from './budgets.ts'
import type { TeamControl } from './control.ts'
import type { Copies } from './copy/copies.ts'
import type { Messages } from './messages.ts'
import type { TeamMessageRows } from './record/team-message-rows.ts'
import type { TeamView } from './team-view.ts'

export interface TeamCommandPorts {
  readonly view: TeamView
  readonly control: TeamControl
  readonly budgets: Pick<Budgets, 'raise'>
  readonly messages: Messages
  readonly sent: TeamMessageRows
  readonly copies: Pick<Copies, 'list' | 'usedBytes' | 'discard'>
  quota_bytes(): number
}

export function teamHandlers({ view, control, budgets, messages, sent, copies, quota_bytes }: TeamCommandPorts): CommandTable {
  function teamOf(run_id: string): Outcome<CommandResult<'team_get'>> {
    const team = view.of(run_id)
    return team ? { ok: true, value: { team } } : runNotFound(run_id)
  }

  async function after(run_id: string, done: Promise<Outcome<unknown>>): Promise<Outcome<CommandResult<'team_get'>>> {
    const outcome = await done
    return outcome.ok ? teamOf(run_id) : outcome
  }

  return {
    team_get: ({ run_id }) => teamOf(run_id),
    team_pause: ({ run_id }) => after(run_id, control.pause(run_id)),
    team_resume: ({ run_id }) => after(run_id, control.resume(run_id)),
    team_cancel: ({ run_id, reason = null }) => after(run_id, control.cancel(run_id, reason)),
    async team_raise_budget({ run_id, tokens = 0, turns = 0, seconds = 0 }) {
      const team = view.of(run_id)
      if (!team) return runNotFound(run_id)
      if (team.budget === null)
        return { ok: false, code: 'transition_refused', message: 'the team runs on another device: allow it more there' }
      if (tokens + turns + seconds === 0) return invalidField('tokens', 'is missing, and so are turns and seconds: say how much more')
      budgets.raise(run_id, { tokens, turns, seconds })
      await control.resumePausedFor('budget', team.root_run_id)
      return teamOf(run_id)
    },
    team_list_messages({ run_id, ...paging }) {
      const team = view.of(run_id)
      if (!team) return runNotFound(run_id)
      const from = positionOf('team_list_messages', paging, ['number'])
      if (!from.ok) return from
      const found = sent.ofTeam(team.root_run_id, { after: Number(from.value?.[0] ?? 0), limit: limitOf(paging) + 1 })
      const { items, next_cursor } = pageOf('team_list_messages', found, ({ no }) => [no], paging)
      const shown = items.map(({ no: _no, root_run_id: _root, sent_at, ...message }) => ({ ...message, sent_at: timestamp(sent_at) }))
      return { ok: true, value: { items: shown, next_cursor } }
    },
    agent_run_add_message: ({ run_id, text, attachments, key }) =>
      messages.write(run_id, { text, ...(attachments ? { attachments } : {}) }, key),
    agent_run_get_queue({ run_id }) {
      const queued = messages.queued(run_id)
      return queued.ok ? { ok: true, value: { queued: [...queued.value] } } : queued
    },
    agent_run_edit_queued({ run_id, message_id, text }) {
      const edited = messages.edit(run_id, message_id, text)
      return edited.ok ? { ok: true, value: { queued: edited.value } } : edited
    },
    agent_run_remove_queued({ run_id, message_id }) {
      const removed = messages.remove(run_id, message_id)
      return removed.ok ? { ok: true, value: { queued: removed.value } } : removed
    },
    async agent_run_send_now({ run_id }) {
      const sent = await messages.sendNow(run_id)
      if (!sent.ok) return sent
      const { run, delivered } = sent.value
      return { ok: true, value: { run_id: run.run_id, state: run.state, delivered } }
    },
    team_get_graph: () => ({ ok: true, value: { graph: view.graph() } }),
    team_get_copies: () => ({
      ok: true,
      value: { copies: [...copies.list()], used_bytes: copies.usedBytes(), quota_bytes: quota_bytes() },
    }),
    async team_discard_copy({ run_id }) {
      try {
        return { ok: true, value: { freed_bytes: await copies.discard(run_id) } }
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error
        const code = error.reason_code === 'copy_not_found' ? 'not_found' : 'transition_refused'
        return { ok: false, code, message: error.message, ...(error.facts.remedy ? { remedy: error.facts.remedy } : {}) }
      }
    },
  }
}
