// The open conversations: their runs, steps and messages are read once, then kept up to date by subscriptions.
import type { ListedMessage, LocalRun } from '@tandem/contract/command'
import type { EventData } from '@tandem/contract/event'
import { isTerminalRunState, type RunStep } from '@tandem/contract/run'
import type { CallError, Channel, ChannelNotification } from '../connection/channel.ts'
import type { Clock } from '../connection/clock.ts'
import { lastSeq } from '../store/journal.ts'
import type { Store } from '../store/store.ts'
import { hasGap } from '../store/stream.ts'
import { type ThreadLoadState, type WindowState, withEntries } from '../store/window-state.ts'
import { readAll, readSteps } from './pages.ts'
import { applyMessages, applySteps } from './updates.ts'

export interface Threads {
  /** Returns a function that closes it; what was read is kept. */
  open(conversation_id: string): () => void
  isOpen(conversation_id: string): boolean
  /** A run started or continues: follow it if its conversation is open. */
  follow(run: Pick<LocalRun, 'run_id' | 'conversation_id'>): void
  /** A piece of text arrived; pieces before it may be missing. */
  watchForGap(run_id: string): void
  /** Reads the messages that wait in the conversation of a run. */
  readQueue(run: Pick<LocalRun, 'run_id' | 'conversation_id'>): Promise<void>
  /** New steps, which may complete a message. */
  onSteps(steps: readonly RunStep[]): void
  /** A message was written without a step. */
  onMessage(conversation_id: string): void
  /** Other devices wrote to these conversations. */
  onSyncArrivals(arrivals: EventData<'sync_changes_arrived'>): void
  /** After a reconnect. */
  refresh(): void
}

const gapMs = 200

/** Kinds of steps that are written together with a message. */
const withMessage: ReadonlySet<RunStep['kind']> = new Set([
  'message.completed',
  'message.received',
  'run.started',
  'checkpoint.restored',
  'context.compacted',
])

export function openThreads(
  channel: Channel,
  store: Store<WindowState>,
  clock: Clock,
  hear: (heard: ChannelNotification) => void,
): Threads {
  const opened = new Map<string, number>()
  const following = new Map<string, () => void>()
  const lastPage = new Map<string, string | null>()
  const reading = new Map<string, Promise<void>>()
  const later: Pick<LocalRun, 'run_id' | 'conversation_id'>[] = []

  function mark(conversation_id: string, loading: ThreadLoadState): void {
    store.change((state) => ({ ...state, threads: withEntries(state.threads, [[conversation_id, loading]]) }))
  }

  /** A lost connection is not a failure: the thread is read again after a reconnect. */
  function fail(conversation_id: string, error: CallError): void {
    if (error.code !== 'disconnected') mark(conversation_id, { error })
  }

  /** One read at a time; requests in the meantime are served by the next one. */
  function readMessages(conversation_id: string): Promise<void> {
    const before = reading.get(conversation_id)
    const next = (before ?? Promise.resolve()).then(async () => {
      const from = lastPage.get(conversation_id) ?? null
      const answer = await readAll(channel, 'message_list', { conversation_id }, { from })
      if (!answer.ok) return
      lastPage.set(conversation_id, answer.value.from)
      const items: readonly ListedMessage[] = answer.value.items
      store.change((state) => applyMessages(state, conversation_id, items))
    })
    reading.set(conversation_id, next)
    return next
  }

  const queueReads = new Map<string, number>()
  async function readQueue({ run_id, conversation_id }: Pick<LocalRun, 'run_id' | 'conversation_id'>): Promise<void> {
    const mine = (queueReads.get(conversation_id) ?? 0) + 1
    queueReads.set(conversation_id, mine)
    const answer = await channel.call('agent_run_get_queue', { run_id })
    // A later request has a newer answer.
    if (!answer.ok || queueReads.get(conversation_id) !== mine) return
    store.change((state) => ({ ...state, queued: withEntries(state.queued, [[conversation_id, answer.value.queued]]) }))
  }

  async function load(conversation_id: string): Promise<void> {
    if (store.get().threads.get(conversation_id) !== 'ready') mark(conversation_id, 'loading')
    const runs = await readAll(channel, 'agent_run_list', { conversation_id })
    if (!runs.ok) return fail(conversation_id, runs.error)
    store.change((state) => ({
      ...state,
      runs: withEntries(
        state.runs,
        runs.value.items.map((run) => [run.run_id, run]),
      ),
    }))
    const steps = await Promise.all(
      runs.value.items.map(({ run_id }) => readSteps(channel, run_id, lastSeq(store.get().journals.get(run_id)))),
    )
    const read = steps.flatMap((answer) => (answer.ok ? answer.value : []))
    await readMessages(conversation_id)
    const failed = steps.find((answer) => !answer.ok)
    store.change((state) => ({ ...state, journals: applySteps(state, read) }))
    if (failed && !failed.ok) return fail(conversation_id, failed.error)
    mark(conversation_id, 'ready')
    for (const run of runs.value.items) if (!isTerminalRunState(run.state)) follow(run)
    // Any run names the conversation: messages may wait for one that has ended.
    const [newest] = runs.value.items
    if (newest) void readQueue(newest)
    for (const run of later.splice(0)) follow(run)
  }

  function follow({ run_id, conversation_id }: Pick<LocalRun, 'run_id' | 'conversation_id'>): void {
    if (following.has(run_id) || !opened.has(conversation_id)) return
    // Steps that are being read would arrive twice.
    if (store.get().threads.get(conversation_id) !== 'ready') return void later.push({ run_id, conversation_id })
    const after_seq = lastSeq(store.get().journals.get(run_id))
    following.set(run_id, channel.subscribe({ topics: ['step'], run_id, after_seq }, hear))
    catchUp(run_id)
  }

  const catching = new Map<string, () => void>()
  /** The first delta of a subscription to a run contains the text so far. The later ones arrive with those of all runs: twice would cost twice. */
  function catchUp(run_id: string): void {
    if (catching.has(run_id)) return
    const end = channel.subscribe({ topics: ['delta'], run_id }, (heard) => {
      endCatchUp(run_id)
      hear(heard)
    })
    catching.set(run_id, end)
  }

  function endCatchUp(run_id: string): void {
    catching.get(run_id)?.()
    catching.delete(run_id)
  }

  let looking = false
  /** Deltas may be missed, and the text so far may be a moment old: it is read again. */
  function watchForGap(run_id: string): void {
    if (looking || !following.has(run_id)) return
    looking = true
    clock.after(gapMs, () => {
      looking = false
      if (following.has(run_id) && hasGap(store.get().streams, run_id)) catchUp(run_id)
    })
  }

  function leave(run_id: string): void {
    endCatchUp(run_id)
    following.get(run_id)?.()
    following.delete(run_id)
  }

  return {
    follow,
    watchForGap,
    readQueue,
    isOpen: (conversation_id) => opened.has(conversation_id),
    open(conversation_id) {
      opened.set(conversation_id, (opened.get(conversation_id) ?? 0) + 1)
      void load(conversation_id)
      return () => {
        const left = (opened.get(conversation_id) ?? 1) - 1
        if (left > 0) return void opened.set(conversation_id, left)
        opened.delete(conversation_id)
        for (const { run_id } of store.get().journals.values()) {
          if (store.get().journals.get(run_id)?.conversation_id === conversation_id) leave(run_id)
        }
      }
    },
    onSteps(steps) {
      const told = steps.filter(({ kind }) => withMessage.has(kind))
      for (const conversation_id of new Set(told.map((step) => step.conversation_id))) void readMessages(conversation_id)
      for (const { kind, run_id } of steps) if (kind === 'run.completed' || kind === 'run.failed' || kind === 'run.canceled') leave(run_id)
    },
    onMessage(conversation_id) {
      if (opened.has(conversation_id)) void readMessages(conversation_id)
    },
    onSyncArrivals({ entity_types, conversation_ids, run_ids, all_named }) {
      const isFollowed = all_named && run_ids.every((run_id) => following.has(run_id))
      for (const conversation_id of opened.keys()) {
        if (all_named && !conversation_ids.includes(conversation_id)) continue
        // Followed runs get their steps by subscription.
        if (!isFollowed) void load(conversation_id)
        else if (entity_types.includes('messages')) void readMessages(conversation_id)
      }
    },
    refresh() {
      for (const conversation_id of opened.keys()) void load(conversation_id)
      for (const run_id of following.keys()) catchUp(run_id)
    },
  }
}
