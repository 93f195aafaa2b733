// Messages to runs: from the user while a run is open, and between members of a team. A run gets them at its next turn.
import type { QueuedMessage } from '@tandem/contract/command'
import { isTerminalRunState, type Message } from '@tandem/contract/run'
import { teamMessageCharacters } from '@tandem/contract/team'
import { ToolFailure } from '../call/failure.ts'
import { runNotFound } from '../feature/not-found.ts'
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
import type { Unsent } from './unsent.ts'
import { stepOf, type UserItem, type UserQueue } from './user-queue.ts'

export interface NewTeamMessage {
  /** The id or the title of a member, or `parent`; null: all. */
  readonly to: string | null
  readonly topic: string | null
  readonly text: string
}

export interface NewUserMessage {
  readonly text: string
  readonly attachments?: Message['attachments']
}

export interface Messages extends Pick<RunTeam, 'deliver'> {
  /** Part of the caller's transaction. Returns the runs that get it. */
  send(from: RunRecord, message: NewTeamMessage): readonly string[]
  /** A message of the user to a run that has not ended. A run that is paused, and that waits for nothing else, continues with it. */
  write(run_id: string, message: NewUserMessage, key?: string): Promise<Outcome<{ readonly message_id: string }>>
  /** Messages of the user that the runs of this conversation have not received. */
  queued(run_id: string): Outcome<readonly QueuedMessage[]>
  edit(run_id: string, message_id: string, text: string): Outcome<QueuedMessage>
  remove(run_id: string, message_id: string): Outcome<QueuedMessage>
  /** Interrupts the turn: the run goes on with the queued messages. Of a run that has ended, they are sent to another one. */
  sendNow(run_id: string): Promise<Outcome<{ readonly run: RunRecord; readonly delivered: number }>>
}

export interface MessagePorts {
  readonly store: Pick<Store, 'transaction' | 'newId' | 'device_id' | 'afterCommit' | 'clock'>
  readonly journal: Journal
  readonly rows: MemberRows
  readonly inbox: Inbox
  readonly queue: UserQueue
  readonly unsent: Pick<Unsent, 'send' | 'isSending' | 'wake'>
  readonly messages: TeamMessageRows
  /** Refuses attachments that are not stored here. */
  missing(attachments: Message['attachments']): Outcome<never> | null
  runs(): Pick<ReadyRuns, 'interrupt'>
  crashPoint(point: TeamCrashpoint): void
}

/** Of one run. More is not a conversation between agents any more. */
const mostSent = 100

export function openMessages(ports: MessagePorts): Messages {
  const { store, journal, rows, inbox, queue, unsent, messages, missing, runs, crashPoint } = ports

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

  /** The caller may have lost the answer to the command that started the run. */
  function writtenWith({ run_id, conversation }: RunRecord, key: string): string | null {
    const started = journal.startedBy(key)
    const [first] = started?.conversation === conversation ? journal.steps(started.run_id, { limit: 1 }) : []
    return first?.step.kind === 'run.started' ? first.step.message_id : (inbox.written(run_id, key) ?? null)
  }

  /** A message that waits, or why it cannot be changed. */
  function found(run_id: string, message_id: string): Outcome<{ readonly run: RunRecord; readonly item: UserItem }> {
    const run = journal.run(run_id)
    if (!run) return runNotFound(run_id)
    const item = queue.waiting(run_id).find((one) => one.message_id === message_id)
    if (item && item.text !== null && !unsent.isSending(run_id)) return { ok: true, value: { run, item } }
    const why = item || journal.messages.get(message_id) ? 'the agent has received it' : 'it was removed'
    return { ok: false, code: 'transition_refused', message: `message ${message_id} can no longer be changed: ${why}` }
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
          if (item.kind === 'user') queue.receive(item, run)
          activeRun.append(stepOf(item, run.run_id))
          if (item.kind === 'user') queue.changed(run)
        })
        crashPoint('team_message_delivered')
      }
    },
    async write(run_id, { text, attachments = [] }, key) {
      const run = journal.run(run_id)
      if (!run) return runNotFound(run_id)
      const written = key === undefined ? null : writtenWith(run, key)
      if (written !== null) return { ok: true, value: { message_id: written } }
      if (run.device_id !== store.device_id)
        return { ok: false, code: 'transition_refused', message: `run ${run_id} belongs to another device: write to it there` }
      if (isTerminalRunState(run.state))
        return { ok: false, code: 'transition_refused', message: `run ${run_id} has ended: start a new one with your message` }
      if (run.workflow_run_id !== null)
        return { ok: false, code: 'transition_refused', message: `run ${run_id} carries a workflow, which reads no messages` }
      const absent = missing(attachments)
      if (absent) return absent
      const message_id = store.newId()
      store.transaction(() => {
        inbox.add(run_id, { kind: 'user', message_id, text, attachments, queued_at: store.clock.now() }, key)
        queue.changed(run)
      })
      const resumed = await unsent.wake(run)
      // The text stays with the user, who can send it again.
      return resumed.ok || !this.remove(run_id, message_id).ok ? { ok: true, value: { message_id } } : resumed
    },
    queued(run_id) {
      const run = journal.run(run_id)
      return run ? { ok: true, value: queue.ofConversation(run.conversation) } : runNotFound(run_id)
    },
    edit(run_id, message_id, text) {
      return store.transaction(() => {
        const at = found(run_id, message_id)
        if (!at.ok) return at
        const { run, item } = at.value
        inbox.edit(item.no, text)
        queue.changed(run)
        return { ok: true, value: queue.shown(run, { ...item, text }) }
      })
    },
    remove(run_id, message_id) {
      return store.transaction(() => {
        const at = found(run_id, message_id)
        if (!at.ok) return at
        const { run, item } = at.value
        inbox.remove(item.no)
        queue.changed(run)
        return { ok: true, value: queue.shown(run, item) }
      })
    },
    async sendNow(run_id) {
      const run = journal.run(run_id)
      if (!run) return runNotFound(run_id)
      if (isTerminalRunState(run.state)) return await unsent.send(run_id)
      const waiting = queue.waiting(run_id).length
      if (waiting === 0) return { ok: false, code: 'nothing_pending', message: `run ${run_id} has no queued messages` }
      const interrupted = await runs().interrupt(run_id)
      return interrupted.ok ? { ok: true, value: { run: interrupted.value, delivered: waiting } } : interrupted
    },
  }
}
