// Messages to runs: from the user while a run is open, and between members of a team. A run gets them at its next turn.
import { isTerminalRunState } from '@tandem/contract/run'
import { teamMessageCharacters } from '@tandem/contract/team'
import { ToolFailure } from '../call/failure.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import type { RunTeam } from '../run/team.ts'
import type { Store } from '../store/store.ts'
import type { TeamCrashpoint } from './crashpoint.ts'
import type { Inbox } from './record/inbox.ts'
import type { MemberRows } from './record/member-rows.ts'
import type { TeamMessageRows } from './record/team-message-rows.ts'

export interface NewTeamMessage {
  /** The id or the title of a member, or `parent`; null: all. */
  readonly to: string | null
  readonly topic: string | null
  readonly text: string
}

export interface Messages extends Pick<RunTeam, 'deliver'> {
  /** Part of the caller's transaction. Returns the runs that get it. */
  send(from: RunRecord, message: NewTeamMessage): readonly string[]
  /** A message of the user to a run that has not ended. */
  write(run_id: string, text: string, key?: string): Promise<Outcome<{ readonly message_id: string }>>
  /** The run has ended: what it did not get any more stays part of the conversation. */
  keepRest(run_id: string): void
}

export interface MessagePorts {
  readonly store: Pick<Store, 'transaction' | 'newId' | 'device_id' | 'afterCommit'>
  readonly journal: Journal
  readonly rows: MemberRows
  readonly inbox: Inbox
  readonly messages: TeamMessageRows
  runs(): Pick<ReadyRuns, 'endWaits'>
  crashPoint(point: TeamCrashpoint): void
}

/** Of one run. More is not a conversation between agents any more. */
const mostSent = 100

export function openMessages({ store, journal, rows, inbox, messages, runs, crashPoint }: MessagePorts): Messages {
  function teamOf(run_id: string): readonly { readonly run_id: string; readonly title: string }[] {
    const root_run_id = rows.get(run_id)?.root_run_id ?? run_id
    const root = journal.run(root_run_id)
    return [...(root ? [{ run_id: root_run_id, title: root.title }] : []), ...rows.ofTeam(root_run_id)].filter(({ run_id: one }) => {
      const run = journal.run(one)
      return one !== run_id && run !== undefined && !isTerminalRunState(run.state)
    })
  }

  function receiversOf(from: RunRecord, to: string | null): readonly string[] {
    const others = teamOf(from.run_id)
    if (to === null) return others.map(({ run_id }) => run_id)
    const wanted = to === 'parent' ? (rows.get(from.run_id)?.parent_run_id ?? '') : to
    const found = others.filter(({ run_id, title }) => run_id === wanted || title.toLowerCase() === wanted.toLowerCase())
    if (found[0] && found.length === 1) return [found[0].run_id]
    const choices = others.map(({ run_id, title }) => `${title} (${run_id})`)
    throw new ToolFailure('member_not_found', found.length > 1 ? `several members are named ${to}` : `no open member is named ${to}`, {
      subject: to,
      remedy: choices.length === 0 ? 'There is no other open member in the team now.' : `Use one of: ${choices.join(', ')}.`,
    })
  }

  return {
    send(from, { to, topic, text }) {
      if (text.length > teamMessageCharacters)
        throw new ToolFailure('message_too_long', `the message has ${text.length} characters, and ${teamMessageCharacters} are allowed`, {
          remedy: 'Write the details to a file, and send its path.',
        })
      if (messages.sentBy(from.run_id) >= mostSent)
        throw new ToolFailure('too_many_messages', `this run has sent ${mostSent} messages, which is the limit`, {
          remedy: 'Continue with your task.',
        })
      const receivers = receiversOf(from, to)
      const team_message_id = store.newId()
      const to_run_id = to === null ? null : (receivers[0] ?? null)
      const root_run_id = rows.get(from.run_id)?.root_run_id ?? from.run_id
      messages.add({ team_message_id, root_run_id, from_run_id: from.run_id, to_run_id, topic, text })
      for (const run_id of receivers)
        inbox.add(run_id, { kind: 'member', team_message_id, from_run_id: from.run_id, is_direct: to !== null, topic, text })
      const about = topic === null ? {} : { topic }
      journal.append(from.run_id, { kind: 'team.message', team_message_id, from_run_id: from.run_id, to_run_id, ...about, text })
      store.afterCommit(() => crashPoint('team_message_sent'))
      return receivers
    },
    deliver(activeRun) {
      const run = activeRun.run()
      for (const item of inbox.waiting(run.run_id)) {
        store.transaction(() => {
          inbox.delivered(item.no)
          activeRun.append(stepOf(item, run.run_id))
        })
        crashPoint('team_message_delivered')
      }
    },
    async write(run_id, text, key) {
      const run = journal.run(run_id)
      const written = key === undefined ? undefined : inbox.written(run_id, key)
      if (written !== undefined) return { ok: true, value: { message_id: written } }
      if (!run) return { ok: false, code: 'not_found', message: `there is no run ${run_id}` }
      if (run.device_id !== store.device_id)
        return { ok: false, code: 'transition_refused', message: `run ${run_id} belongs to another device: write to it there` }
      if (isTerminalRunState(run.state))
        return { ok: false, code: 'transition_refused', message: `run ${run_id} has ended: start a new one with your message` }
      if (run.workflow_run_id !== null)
        return { ok: false, code: 'transition_refused', message: `run ${run_id} carries a workflow, which reads no messages` }
      const message_id = store.transaction(() => {
        const id = journal.messages.write({ conversation: run.conversation, run: null, role: 'user', author: 'person', text })
        inbox.add(run_id, { kind: 'user', message_id: id }, key)
        return id
      })
      // A run that has answered and waits for its members can respond now.
      await runs().endWaits({ for: 'child', id: run_id }, { outcome: 'completed', value: null })
      return { ok: true, value: { message_id } }
    },
    keepRest(run_id) {
      for (const item of inbox.waiting(run_id))
        store.transaction(() => {
          inbox.delivered(item.no)
          if (item.kind === 'user') journal.append(run_id, stepOf(item, run_id))
        })
    },
  }
}

function stepOf(item: ReturnType<Inbox['waiting']>[number], run_id: string) {
  if (item.kind === 'user') return { kind: 'message.received' as const, message_id: item.message_id }
  const { team_message_id, from_run_id, is_direct, topic, text } = item
  const to_run_id = is_direct ? run_id : null
  return { kind: 'team.message' as const, team_message_id, from_run_id, to_run_id, ...(topic === null ? {} : { topic }), text }
}
