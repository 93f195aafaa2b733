// Messages of the user that a run had not received when it ended. After a failure they start one new run; after a stop the user decides.
import { isTerminalRunState, type PauseReason, type RunState } from '@tandem/contract/run'
import { runNotFound } from '../feature/not-found.ts'
import type { Outcome, Rejection } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { rejected } from '../run/failures.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import type { StartRequest } from '../run/start-request.ts'
import type { Store } from '../store/store.ts'
import type { Inbox } from './record/inbox.ts'
import type { MemberRows } from './record/member-rows.ts'
import { stepOf, type UserItem, type UserQueue } from './user-queue.ts'

export type Sent = Outcome<{ readonly run: RunRecord; readonly delivered: number }>

export interface Unsent {
  /** The run has ended. Calling it again repeats nothing. */
  settle(run_id: string): Promise<void>
  /** Sends them to the open run of the conversation, or starts one with them: once, however often it is called. */
  send(run_id: string): Promise<Sent>
  isSending(run_id: string): boolean
  /** The run that a message was written to with this key: the caller lost the answer, and starts a run with it. */
  writtenTo(request: Pick<StartRequest, 'conversation_id' | 'key'>): RunRecord | undefined
  /** A message has arrived for a run: a paused one that waits for nothing else continues with it. */
  wake(run: RunRecord): Promise<Outcome<unknown>>
  /** What a process that was killed did not finish. */
  reconcile(): Promise<void>
}

export interface UnsentPorts {
  readonly store: Pick<Store, 'transaction' | 'device_id'>
  readonly journal: Journal
  readonly rows: Pick<MemberRows, 'get'>
  readonly inbox: Inbox
  readonly queue: UserQueue
  start(request: StartRequest): Promise<Outcome<RunRecord>>
  runs(): Pick<ReadyRuns, 'endWaits' | 'interrupt'>
}

type EndState = Exclude<RunState, 'running' | 'paused'>

/** A run completes only after it has received everything: a message that waits then has arrived with its end. */
const afterEnd = { completed: 'start', failed: 'start', canceled: 'ask_user' } as const satisfies Record<EndState, 'start' | 'ask_user'>

/** A run that is paused for one of these continues with what the user writes. For the others the message waits, too. */
const continuedByMessage: readonly (PauseReason | null)[] = ['user', 'crash', 'restore', 'model']

export function openUnsent({ store, journal, rows, inbox, queue, start, runs }: UnsentPorts): Unsent {
  const sending = new Map<string, Promise<Sent>>()

  /** A member and its parent know each other's messages from the journal: nothing else starts in their place. */
  function staysInRun({ run_id, workflow_run_id }: RunRecord, { text }: UserItem): boolean {
    // A text of an earlier version is part of the conversation already.
    return workflow_run_id !== null || rows.get(run_id) !== undefined || text === null
  }

  function dropRest(run: RunRecord): void {
    for (const item of inbox.waiting(run.run_id)) {
      if (item.kind === 'user' && !staysInRun(run, item)) continue
      store.transaction(() => {
        inbox.delivered(item.no)
        if (item.kind !== 'user') return
        queue.receive(item, run)
        journal.append(run.run_id, stepOf(item, run.run_id))
        queue.changed(run)
      })
    }
  }

  /** Recorded in the ended run, where the user reads it. From then on, only the user sends its messages. */
  function refuse(run_id: string, rejection: Rejection): void {
    const { failure_contract = rejected('start', run_id, rejection) } = rejection
    journal.append(run_id, { kind: 'error', failure_contract })
  }

  function wasRefused(run_id: string): boolean {
    const end = journal.steps(run_id).findLastIndex(({ step }) => step.kind === 'run.failed' || step.kind === 'run.completed')
    return journal.steps(run_id).some(({ step }, at) => at > end && step.kind === 'error')
  }

  async function settle(run_id: string): Promise<void> {
    const run = journal.run(run_id)
    if (!run || !isEnded(run.state)) return
    dropRest(run)
    if (queue.waiting(run_id).length === 0) return
    if (afterEnd[run.state] === 'ask_user') return queue.changed(run)
    if (wasRefused(run_id)) return
    const sent = await send(run_id)
    // The next runtime sends what this one cannot any more.
    if (!sent.ok && sent.code !== 'storage_unavailable' && sent.code !== 'nothing_pending') refuse(run_id, sent)
  }

  async function wake(run: RunRecord): Promise<Outcome<unknown>> {
    if (run.state === 'paused' && continuedByMessage.includes(run.pause_reason)) {
      // Before calls that were not made yet: the user may have paused or restored it because of them.
      const resumed = await runs().interrupt(run.run_id)
      if (!resumed.ok) return resumed
    }
    // A run that has answered and waits for its members can respond now.
    await runs().endWaits({ for: 'child', id: run.run_id }, { outcome: 'completed', value: null })
    return { ok: true, value: null }
  }

  function send(run_id: string): Promise<Sent> {
    const before = sending.get(run_id)
    if (before) return before
    const sent = trySend(run_id).finally(() => sending.delete(run_id))
    sending.set(run_id, sent)
    return sent
  }

  async function trySend(run_id: string): Promise<Sent> {
    const run = journal.run(run_id)
    if (!run) return runNotFound(run_id)
    const started = journal.startedBy(keyOf(run_id))
    if (started) return { ok: true, value: { run: started, delivered: 0 } }
    const items = queue.waiting(run_id)
    const [first, ...rest] = items
    if (!first) return { ok: false, code: 'nothing_pending', message: `run ${run_id} has no queued messages` }
    const open = journal.runsOf(run.conversation).find(isOpenHere)
    return open ? await sendTo(open, run, items) : await startWith(run, first, rest)
  }

  function isOpenHere({ state, device_id, workflow_run_id }: RunRecord): boolean {
    return !isEnded(state) && device_id === store.device_id && workflow_run_id === null
  }

  async function sendTo(open: RunRecord, run: RunRecord, items: readonly UserItem[]): Promise<Sent> {
    store.transaction(() => {
      for (const item of items) inbox.move(item, open.run_id)
      queue.changed(run)
      queue.changed(open)
    })
    // If it cannot continue now, they wait there for the user.
    await wake(open)
    return { ok: true, value: { run: journal.run(open.run_id) ?? open, delivered: items.length } }
  }

  /** With what its conversation is set to, otherwise with what the run had: it may be stricter than its agent. */
  async function startWith(run: RunRecord, first: UserItem, rest: readonly UserItem[]): Promise<Sent> {
    const { conversation_id } = run
    const set = journal.conversations.get(conversation_id)
    const started = await start({
      conversation_id,
      author: 'person',
      text: first.text ?? '',
      attachments: first.attachments,
      model: set?.model ?? run.model,
      sandbox_mode: set?.sandbox_mode ?? run.sandbox_mode,
      key: keyOf(run.run_id),
      queued: {
        message_id: first.message_id,
        started(next) {
          inbox.delivered(first.no)
          for (const item of rest) {
            inbox.delivered(item.no)
            queue.receive(item, next)
            journal.append(next.run_id, stepOf(item, next.run_id))
          }
          queue.changed(run)
        },
      },
    })
    return started.ok ? { ok: true, value: { run: started.value, delivered: rest.length + 1 } } : started
  }

  return {
    settle,
    send,
    wake,
    isSending: (run_id) => sending.has(run_id),
    writtenTo({ conversation_id, key }) {
      const conversation = key === undefined ? undefined : journal.conversations.get(conversation_id)
      if (key === undefined || !conversation) return undefined
      return journal.runsOf(conversation.no).find(({ run_id }) => inbox.written(run_id, key) !== undefined)
    },
    async reconcile() {
      for (const run_id of inbox.waitedFor()) {
        const run = journal.run(run_id)
        if (run && run.device_id === store.device_id && isEnded(run.state) && afterEnd[run.state] === 'start') await settle(run_id)
      }
    },
  }
}

function isEnded(state: RunState): state is EndState {
  return isTerminalRunState(state)
}

function keyOf(run_id: string): string {
  return `unsent:${run_id}`
}
