// The window's only connection to the runtime: it keeps the state current and calls commands for the user.
import type { CommandName, CommandParams, CommandResult, Conversation, LocalRun } from '@tandem/contract/command'
import { isTerminalRunState } from '@tandem/contract/run'
import type { Team } from '@tandem/contract/team'
import {
  type CallError,
  type CallResult,
  type Channel,
  type ChannelNotification,
  type ChannelPorts,
  openChannel,
} from '../connection/channel.ts'
import type { Clock } from '../connection/clock.ts'
import type { CardModeStore } from '../store/card-modes.ts'
import { type Disclosures, openDisclosures } from '../store/card-states.ts'
import { type OlderConversations, withConversations } from '../store/conversations.ts'
import { createStore, type Store } from '../store/store.ts'
import { teamOf, withTeam } from '../store/team.ts'
import { type ErrorNotice, emptyState, type WindowState, withEntries } from '../store/window-state.ts'
import { openBatch } from './batch.ts'
import { openConversationLists } from './conversation-lists.ts'
import { readAll, readRuns } from './pages.ts'
import { openThreads, type Threads } from './threads.ts'
import { applyUpdates, type RuntimeUpdate } from './updates.ts'

export interface RuntimeClient {
  readonly store: Store<WindowState>
  readonly disclosures: Disclosures
  readonly clock: Clock
  readonly channel: Channel
  openThread: Threads['open']
  /** Adds a conversation that a command returned, before the lists are read again. */
  addConversation(conversation: Conversation): void
  /** Reads a conversation with its branches, and keeps them: also if it is older than those that are listed. */
  readConversation(conversation_id: string): Promise<CallResult<null>>
  /** These, with all that branch from the same ones. Those that the window has not read are read. */
  readFamilies(conversation_ids: readonly string[]): Promise<CallResult<readonly Conversation[]>>
  /** Lists older conversations, too. */
  readOlderConversations(doing: string, list: keyof OlderConversations): Promise<void>
  /** Calls a command. Shows a refusal to the user until `doing` succeeds or they dismiss it. */
  call<Name extends CommandName>(doing: string, name: Name, params: CommandParams<Name>): Promise<CallResult<CommandResult<Name>>>
  dismiss(refusal: number): void
  /** Shows why `doing` was refused, until it succeeds or the user dismisses it. */
  showError(doing: string, error: CallError): void
  /** `doing` succeeded: an earlier refusal is no longer shown. */
  succeeded(doing: string): void
  refreshLists(): Promise<void>
  /** Reads the team of a run into the state. */
  readTeam(run_id: string): Promise<CallResult<Team>>
  /** Reads the messages that wait in the conversation of a run. */
  readQueue(run: Pick<LocalRun, 'run_id' | 'conversation_id'>): Promise<void>
  /** Reads the messages of an open thread again, after a command that writes one without a run. */
  readMessages(conversation_id: string): void
  /** The newest runs are read automatically, older ones on request. */
  readOlderRuns(doing: string): Promise<boolean>
  /** Reads the status of the runtime; this runs the self-test of the sandbox. */
  refreshStatus(): Promise<CallResult<CommandResult<'runtime_status'>>>
}

export function openRuntimeClient(clock: Clock, kept: CardModeStore, ports: Pick<ChannelPorts, 'open' | 'isHostReachable'>): RuntimeClient {
  const store = createStore<WindowState>(emptyState)
  const disclosures = openDisclosures(clock, kept)
  let asked = 0
  let readings = 0
  let shown = 0

  let told = store.get().journals
  // On every change: run states come from steps, and from threads that are read again.
  store.subscribe(() => {
    const before = told
    told = store.get().journals
    if (told === before) return
    for (const [run_id, journal] of told) {
      const old = before.get(run_id)
      if (old && old.state !== journal.state) disclosures.setRunState(run_id, journal.state)
    }
  })
  const news = openBatch<RuntimeUpdate>(clock, (all) => {
    store.change((state) => applyUpdates(state, all))
    threads.onSteps(all.flatMap((one) => (one.type === 'step' ? [one.step] : [])))
  })
  /** An import may add thousands of conversations. */
  const imports = openBatch<null>({ ...clock, after: (_, what) => clock.after(1_000, what) }, () => void refreshLists())
  const lists = openBatch<null>({ ...clock, after: (_, what) => clock.after(80, what) }, () => void refreshLists())

  function hear(heard: ChannelNotification): void {
    if (heard.method === 'delta') {
      // Text of conversations that are not open is read when it is complete.
      const { delta } = heard.params
      if (!threads.isOpen(delta.conversation_id)) return
      news.add({ type: 'delta', delta })
      threads.watchForGap(delta.run_id)
      return
    }
    if (heard.method === 'step') {
      news.add({ type: 'step', step: heard.params.step })
      return
    }
    const { no, event } = heard.params
    news.add({ type: 'event', event: { no, event } })
    // Another window or a program may have done it.
    if (event.event === 'conversation_changed') {
      const isImport = event.data.change === 'imported'
      if (isImport) imports.add(null)
      else lists.add(null)
      // A newer export may have added to it.
      if (isImport && event.conversation_id !== null) threads.onMessage(event.conversation_id)
    }
    if (event.event === 'sync_changes_arrived') {
      lists.add(null)
      threads.onSyncArrivals(event.data)
    }
    if (event.run_id !== null && event.conversation_id !== null) {
      const { run_id, conversation_id } = event
      if (event.event === 'run_started' || event.event === 'run_resumed' || event.event === 'checkpoint_restored') {
        threads.follow({ run_id, conversation_id })
      }
      if (event.event === 'checkpoint_expired' || event.event === 'checkpoint_restored') threads.onMessage(conversation_id)
      if (event.event === 'run_queue_changed' && threads.isOpen(conversation_id)) void threads.readQueue({ run_id, conversation_id })
      if (/^(?:run|approval|question)_|^checkpoint_restored$/.test(event.event) && event.event !== 'run_queue_changed') lists.add(null)
    }
  }

  const channel = openChannel({
    ...ports,
    clock,
    onState(connection) {
      store.change((state) => ({ ...state, connection }))
      if (connection !== 'online') return
      void refreshLists()
      void refreshStatus()
      threads.refresh()
    },
  })
  const threads = openThreads(channel, store, clock, hear)
  // The deltas of all runs from the start: a run's own subscription begins slightly after the run.
  channel.subscribe({ topics: ['event', 'delta'] }, hear)

  const conversationLists = openConversationLists(channel)

  async function refreshLists(): Promise<void> {
    await readLists()
  }

  async function readLists(): Promise<CallResult<null>> {
    readings += 1
    const mine = readings
    const reading = readRunLists()
    const [conversations, agents, archived, { runs, approvals, questions, waiting, named }, settings] = await Promise.all([
      conversationLists.read(async () => (await reading).waitingIn),
      readAll(channel, 'agent_list', {}),
      readAll(channel, 'agent_list', { archived: true }),
      reading,
      channel.call('runtime_get_settings', {}),
    ])
    const answer: CallResult<null> = conversations.ok ? { ok: true, value: null } : conversations
    // A later request is already shown; this response is out of date.
    if (mine < shown) return answer
    shown = mine
    store.change((state) => ({
      ...state,
      ...(conversations.ok ? conversations.value(state) : {}),
      ...(agents.ok && archived.ok
        ? { agents: new Map([...agents.value.items, ...archived.value.items].map((one) => [one.agent_id, one])) }
        : {}),
      runs: withEntries(
        state.runs,
        [...named, ...(runs.ok ? runs.value.items : [])].map((run) => [run.run_id, run]),
      ),
      ...(runs.ok ? { hasOlderRuns: runs.value.next_cursor !== null } : {}),
      ...(approvals.ok ? { approvals: approvals.value.items } : {}),
      ...(questions.ok ? { questions: questions.value.items } : {}),
      ...(settings.ok ? { settings: settings.value.settings } : {}),
    }))
    for (const run of [...named, ...(runs.ok ? runs.value.items : [])]) if (!isTerminalRunState(run.state)) threads.follow(run)
    await readTeamsOf(waiting.flatMap(({ run_id }) => store.get().runs.get(run_id) ?? []))
    return answer
  }

  /** The newest runs, and what waits for the user: that is shown, however old its conversation is. */
  async function readRunLists() {
    const [runs, approvals, questions] = await Promise.all([
      channel.call('agent_run_list', { limit: 100 }),
      readAll(channel, 'approval_list', {}),
      readAll(channel, 'question_list', {}),
    ])
    const waiting = [...(approvals.ok ? approvals.value.items : []), ...(questions.ok ? questions.value.items : [])]
    const listed = runs.ok ? runs.value.items : []
    const named = await readRuns(channel, waiting, [...store.get().runs.keys(), ...listed.map(({ run_id }) => run_id)])
    const known = new Map([...store.get().runs, ...[...named, ...listed].map((run) => [run.run_id, run] as const)])
    const waitingIn = waiting.flatMap(({ run_id }) => known.get(run_id)?.conversation_id ?? [])
    return { runs, approvals, questions, waiting, named, waitingIn }
  }

  async function readFamilies(conversation_ids: readonly string[]): Promise<CallResult<readonly Conversation[]>> {
    const answer = await conversationLists.readFamilies(conversation_ids)
    if (!answer.ok) return answer
    store.change((state) => {
      // Before the first lists were read, nothing is known to be missing.
      if (!state.conversations) return state
      return { ...state, conversations: withConversations(state.conversations, [...state.conversations.values(), ...answer.value]) }
    })
    return answer
  }

  /** The conversation of a run that another run started is hidden: what such a run needs is shown in the first conversation of its team. */
  async function readTeamsOf(runs: readonly LocalRun[]): Promise<void> {
    const { conversations } = store.get()
    const hidden = runs.filter(({ conversation_id }) => conversations?.get(conversation_id)?.hidden)
    const unread = new Set(hidden.map(({ run_id }) => run_id).filter((run_id) => teamOf(store.get(), run_id) === null))
    await Promise.all([...unread].map(readTeam))
  }

  async function readTeam(run_id: string): Promise<CallResult<Team>> {
    const answer = await channel.call('team_get', { run_id })
    if (!answer.ok) return answer
    const { team } = answer.value
    store.change((state) => {
      const teams = withTeam(state.teams, team)
      return teams === state.teams ? state : { ...state, teams }
    })
    return { ok: true, value: team }
  }

  /** Repeated refusals are one, with the newest reason. */
  function refuse(doing: string, error: CallError): void {
    asked += 1
    const id = asked
    store.change((state) => {
      const times = (state.refusals.find((one) => one.doing === doing)?.times ?? 0) + 1
      return { ...state, refusals: [...withoutRefusal(state.refusals, doing), { id, doing, error, times }].slice(-5) }
    })
  }

  function succeeded(doing: string): void {
    if (!store.get().refusals.some((one) => one.doing === doing)) return
    store.change((state) => ({ ...state, refusals: withoutRefusal(state.refusals, doing) }))
  }

  async function refreshStatus() {
    const answer = await channel.call('runtime_status', {})
    if (answer.ok) store.change((state) => ({ ...state, status: answer.value }))
    return answer
  }

  return {
    store,
    disclosures,
    clock,
    channel,
    openThread: threads.open,
    readFamilies,
    async readConversation(conversation_id) {
      conversationLists.keep(conversation_id)
      const { conversations, olderConversations } = store.get()
      if (conversations?.has(conversation_id) && !olderConversations.active && !olderConversations.archived)
        return { ok: true, value: null }
      const answer = await readFamilies([conversation_id])
      return answer.ok ? { ok: true, value: null } : answer
    },
    async readOlderConversations(doing, list) {
      const undo = conversationLists.extend(list)
      const answer = await readLists()
      if (answer.ok) return succeeded(doing)
      undo()
      refuse(doing, answer.error)
    },
    addConversation(conversation) {
      conversationLists.keep(conversation.conversation_id)
      store.change((state) => ({
        ...state,
        conversations: withEntries(state.conversations, [[conversation.conversation_id, conversation]]),
      }))
    },
    async call(doing, name, params) {
      const answer = await channel.call(name, params)
      if (answer.ok) succeeded(doing)
      else refuse(doing, answer.error)
      return answer
    },
    showError: refuse,
    succeeded,
    dismiss(id) {
      store.change((state) => ({ ...state, refusals: state.refusals.filter((refusal) => refusal.id !== id) }))
    },
    refreshLists,
    readTeam,
    readQueue: threads.readQueue,
    readMessages: threads.onMessage,
    async readOlderRuns(doing) {
      const answer = await readAll(channel, 'agent_run_list', {})
      if (!answer.ok) {
        refuse(doing, answer.error)
        return false
      }
      succeeded(doing)
      store.change((state) => ({
        ...state,
        runs: withEntries(
          state.runs,
          answer.value.items.map((run) => [run.run_id, run]),
        ),
      }))
      return true
    },
    refreshStatus,
  }
}

function withoutRefusal(refusals: readonly ErrorNotice[], doing: string): readonly ErrorNotice[] {
  return refusals.filter((one) => one.doing !== doing)
}
