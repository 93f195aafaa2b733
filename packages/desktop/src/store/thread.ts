// A conversation as it is shown: messages and cards in one list. Every part has a stable id, so that the layout does not shift.
import type { Card, StepLine } from '@tandem/contract/card'
import type { ListedMessage } from '@tandem/contract/command'
import type { RunState } from '@tandem/contract/run'
import type { Fork, ThreadSegment } from './branches.ts'
import { cutJournal, type RunJournal } from './journal.ts'
import type { PolicyNotice } from './policy-notice.ts'
import { type QueuedMessage, waitingIn } from './queued-message.ts'
import type { TextStream } from './stream.ts'
import type { Suggestion } from './suggestion.ts'
import { type TeamNews, teamNews } from './team-news.ts'
import type { WindowState } from './window-state.ts'

export type ThreadPart =
  | { readonly kind: 'message'; readonly id: string; readonly message: ListedMessage }
  | {
      readonly kind: 'text'
      readonly id: string
      readonly text: string
      /** `cut`: the run continued without it. */
      readonly status: 'coming' | 'cut'
    }
  | {
      readonly kind: 'card'
      readonly id: string
      readonly card: Card
      readonly state: RunState
      /** The result of a call. Both are rendered as one card. */
      readonly result?: ToolResultCard
      /** How often an error occurred in a row. */
      readonly times?: number
    }
  | { readonly kind: 'line'; readonly id: string; readonly line: StepLine }
  | { readonly kind: 'team'; readonly id: string; readonly news: TeamNews }
  /** Written by the user while a run was open. */
  | { readonly kind: 'queued'; readonly id: string; readonly queued: QueuedMessage }
  /** Where conversations part: the reader can switch between them. */
  | { readonly kind: 'fork'; readonly id: string; readonly fork: Fork }
  /** A policy candidate of the agent that is on trial or was undone. */
  | { readonly kind: 'policy'; readonly id: string; readonly notice: PolicyNotice }
  /** A recommendation that a run of the conversation led to. */
  | { readonly kind: 'suggestion'; readonly id: string; readonly suggestion: Suggestion }

export type ToolResultCard = Extract<Card, { kind: 'ToolResult' }>

type Messages = ReadonlyMap<string, ListedMessage>

type Shown = Pick<WindowState, 'journals' | 'messages' | 'streams' | 'queued'>

/** What is shown of a conversation: all of it, or for a branch, first what it continues from. */
export function threadOf(
  state: Shown,
  conversation_id: string,
  segments: readonly ThreadSegment[] = [{ conversation_id, until: null }],
  forks: readonly Fork[] = [],
): readonly ThreadPart[] {
  const parts = segments.flatMap((segment) =>
    segmentParts(
      state,
      segment,
      forks.filter((fork) => fork.in === segment.conversation_id),
    ),
  )
  return [...parts, ...queuedIn(state, conversation_id)]
}

function segmentParts(state: Shown, { conversation_id, until }: ThreadSegment, forks: readonly Fork[]): readonly ThreadPart[] {
  const journals = [...state.journals.values()].filter((journal) => journal.conversation_id === conversation_id)
  // Ids of runs sort by creation time.
  journals.sort((left, right) => (left.run_id < right.run_id ? -1 : 1))
  const shown = until === null ? journals : journals.flatMap((journal) => cutAt(journal, until))
  const messages =
    until === null ? (state.messages.get(conversation_id) ?? noMessages) : messagesThen(state, { conversation_id, until }, shown)
  const streamsOf = new Map<string, TextStream[]>()
  for (const stream of until === null ? state.streams.values() : []) {
    if (stream.conversation_id === conversation_id) streamsOf.set(stream.run_id, [...(streamsOf.get(stream.run_id) ?? []), stream])
  }
  const bases = shown.map((journal) => baseOf(journal, messages))
  const parts = bases.flatMap((base) => {
    const drawn = withStreams(base, messages, streamsOf.get(base.journal.run_id) ?? noStreams)
    return withForks(drawn, base.journal, messages, forks)
  })
  const waiting = new Set((state.queued.get(conversation_id) ?? []).map(({ message_id }) => message_id))
  const loose = [...messages.values()].filter(
    ({ message_id }) =>
      !bases.some(({ told }) => told.has(message_id)) && !waiting.has(message_id) && (until === null || isThen(message_id)),
  )
  const atStart = forks.filter(({ at }) => at === null).map(forkPart)
  const late = forks.filter(({ at }) => at !== null && !shown.some(({ run_id }) => run_id === at.run_id)).map(forkPart)
  return [...atStart, ...(loose.length === 0 ? parts : placed(parts, loose.map(asPart))), ...late]

  /** Messages without a run are part of the history if they were written before its last step. */
  function isThen(message_id: string): boolean {
    const last = shown.at(-1)?.steps.at(-1)?.ts ?? ''
    return (messages.get(message_id)?.created_at ?? '') <= last
  }
}

function cutAt(journal: RunJournal, { run_id, seq }: NonNullable<ThreadSegment['until']>): readonly RunJournal[] {
  if (journal.run_id < run_id) return [journal]
  const cut = journal.run_id === run_id ? cutJournal(journal, seq) : null
  return cut ? [cut] : []
}

/** Computed once: rows are drawn again if their messages are other objects. */
const asItWas = new WeakMap<Messages, Map<string, Messages>>()

/** A restore that came later in the other conversation does not apply to what a branch continues from. */
function messagesThen(state: Shown, { conversation_id, until }: ThreadSegment, journals: readonly RunJournal[]): Messages {
  const messages = state.messages.get(conversation_id) ?? noMessages
  const known = asItWas.get(messages) ?? new Map<string, Messages>()
  asItWas.set(messages, known)
  const key = `${until?.run_id}:${until?.seq}:${journals.length}`
  const found = known.get(key)
  if (found) return found
  const undone = new Set(
    journals.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'checkpoint.restored' ? step.set_aside_message_ids : []))),
  )
  const isOther = ({ message_id, set_aside }: ListedMessage) => set_aside && !undone.has(message_id)
  const then = [...messages.values()].some(isOther)
    ? new Map([...messages].map(([id, message]) => [id, isOther(message) ? { ...message, set_aside: false } : message]))
    : messages
  known.set(key, then)
  return then
}

/** Before the first part that came after the fork. */
function withForks(parts: readonly ThreadPart[], journal: RunJournal, messages: Messages, forks: readonly Fork[]): readonly ThreadPart[] {
  const here = forks.flatMap((fork) => (fork.at?.run_id === journal.run_id ? [{ fork, seq: fork.at.seq }] : []))
  if (here.length === 0) return parts
  const all = [...parts]
  for (const { fork, seq } of here.toSorted((one, other) => other.seq - one.seq)) {
    const before = cutJournal(journal, seq)
    all.splice(Math.min(before ? baseOf(before, messages).parts.length : 0, all.length), 0, forkPart(fork))
  }
  return all
}

function forkPart(fork: Fork): ThreadPart {
  return { kind: 'fork', id: `fork:${fork.id}`, fork }
}

/** Below everything else. */
function queuedIn(state: Shown, conversation_id: string): readonly ThreadPart[] {
  return waitingIn(state, conversation_id).map((one) => ({ kind: 'queued', id: one.message_id, queued: one }))
}

const noMessages: Messages = new Map()
const noStreams: readonly TextStream[] = []

/** The parts of a run that are derived from its journal alone. */
interface Base {
  readonly journal: RunJournal
  /** Ends with the run's own card. */
  readonly parts: readonly ThreadPart[]
  readonly status: ThreadPart | null
  /** Messages that have a position in it. */
  readonly told: ReadonlySet<string>
  /** Texts whose message has not arrived, and complete thoughts. */
  readonly texts: ReadonlySet<string>
  /** The complete ones of these: their message will arrive. */
  readonly whole: ReadonlySet<string>
  readonly thoughts: ReadonlySet<string>
}

/** Computed once per journal: while an answer streams in, only its text is rendered again. */
const drawn = new WeakMap<RunJournal, { readonly messages: Messages; readonly base: Base }>()

function baseOf(journal: RunJournal, messages: Messages): Base {
  const kept = drawn.get(journal)
  if (kept?.messages === messages) return kept.base
  const base = drawRun(journal, messages)
  drawn.set(journal, { messages, base })
  return base
}

function drawRun(journal: RunJournal, messages: Messages): Base {
  const row: { seq: number; part: ThreadPart }[] = []
  const thoughts = new Set<string>()
  let status: ThreadPart | null = null
  const ids = new Set(journal.cards.map(({ card_id }) => card_id))
  const results = new Map(journal.cards.flatMap((card) => (card.kind === 'ToolResult' ? [[card.card_id, card] as const] : [])))
  for (const card of journal.cards) {
    const part: ThreadPart = { kind: 'card', id: card.card_id, card, state: journal.state }
    if (card.kind === 'Thinking') thoughts.add(card.card_id.slice('thinking:'.length))
    if (card.kind === 'RunStatus') status = part
    else if (!isAsking(card) && !isDrawnWithCall(card, ids)) {
      const result = card.kind === 'ToolCall' ? results.get(resultOf(card.card_id)) : undefined
      row.push({ seq: card.seq, part: result ? { ...part, result } : part })
    }
  }
  const { news, told: inNews } = teamNews(journal)
  for (const one of news) row.push({ seq: one.step.seq, part: { kind: 'team', id: one.step.step_id, news: one } })
  for (const line of journal.lines) {
    if (!inNews.has(line.step_id)) row.push({ seq: line.seq, part: { kind: 'line', id: line.step_id, line } })
  }
  const told = new Map<string, number>()
  const texts = new Map<string, string>()
  const whole = new Set<string>()
  const received = new Set<string>()
  for (const step of journal.steps) {
    const id = 'message_id' in step ? step.message_id : null
    if (id === null) continue
    if (step.kind === 'message.received') received.add(id)
    if (messages.has(id)) told.set(id, step.seq)
    else if (step.kind === 'text.partial' || step.kind === 'message.completed') {
      told.set(id, step.seq)
      if (step.kind === 'message.completed') whole.add(id)
      texts.set(id, (step.kind === 'text.partial' ? step.text : texts.get(id)) ?? '')
    }
  }
  const latest = latestOf(told.keys())
  for (const [id, seq] of told) {
    const message = messages.get(id)
    if (message) row.push({ seq: message.role === 'user' && !received.has(id) ? -1 : seq, part: asPart(message) })
    else row.push({ seq, part: textPart(id, texts.get(id) ?? '', { journal, latest, whole }) })
  }
  row.sort((left, right) => left.seq - right.seq)
  const parts = counted(row.map(({ part }) => part))
  if (status) parts.push(status)
  return { journal, parts, status, told: new Set(told.keys()), texts: new Set(texts.keys()), whole, thoughts }
}

function withStreams(
  { journal, parts, status, texts, whole, thoughts, told }: Base,
  messages: Messages,
  streams: readonly TextStream[],
): readonly ThreadPart[] {
  if (streams.length === 0) return parts
  const coming = new Map(streams.filter(({ kind }) => kind === 'text').map(({ id, text }) => [id, text]))
  const around = { journal, latest: latestOf([...told, ...coming.keys()]), whole }
  const body = status ? parts.slice(0, -1) : [...parts]
  const all =
    texts.size > 0 ? body.map((part) => (part.kind === 'text' ? textPart(part.id, coming.get(part.id) ?? part.text, around) : part)) : body
  for (const stream of streams) {
    if (stream.kind === 'thinking' && !thoughts.has(stream.id)) all.push(thinkingPart(stream, journal))
  }
  for (const [id, text] of coming) {
    if (told.has(id) || messages.has(id)) continue
    // Text that was cut off stays above what the run wrote when it continued.
    const later = all.findIndex((part) => part.kind === 'message' && told.has(part.id) && part.id > id)
    all.splice(later === -1 ? all.length : later, 0, textPart(id, text, around))
  }
  if (status) all.push(status)
  return all
}

/** The same failure several times in a row is one card. It stays where it first appeared, with the newest details. */
function counted(parts: readonly ThreadPart[]): ThreadPart[] {
  const all: ThreadPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last?.kind === 'card' && part.kind === 'card' && isSameFailure(last.card, part.card)) {
      all[all.length - 1] = { ...part, id: last.id, card: { ...part.card, card_id: last.card.card_id }, times: (last.times ?? 1) + 1 }
    } else all.push(part)
  }
  return all
}

function isSameFailure(one: Card, other: Card): boolean {
  if (one.kind !== 'Error' || other.kind !== 'Error' || one.set_aside !== other.set_aside) return false
  const [{ details: first, ...where }, { details: second, ...there }] = [one.failure_contract, other.failure_contract]
  return (
    first.message === second.message &&
    where.stage === there.stage &&
    where.source === there.source &&
    where.reason_code === there.reason_code
  )
}

/** Ids sort by creation time. */
function latestOf(ids: Iterable<string>): string {
  let latest = ''
  for (const id of ids) if (id > latest) latest = id
  return latest
}

/** A text is no longer streaming if another one follows it or its run ended; complete texts only wait for their message. */
function textPart(id: string, text: string, around: { journal: RunJournal; latest: string; whole: ReadonlySet<string> }): ThreadPart {
  const { journal, latest, whole } = around
  const isComing = whole.has(id) || (journal.state === 'running' && latest <= id)
  return { kind: 'text', id, text, status: isComing ? 'coming' : 'cut' }
}

function resultOf(call_card_id: string): string {
  return call_card_id.replace(/^call:/, 'result:')
}

/** If a restore undid a result but not its call, the result has no call to be rendered with. */
function isDrawnWithCall(card: Card, ids: ReadonlySet<string>): boolean {
  return card.kind === 'ToolResult' && ids.has(card.card_id.replace(/^result:/, 'call:'))
}

/** A question has its own card. */
function isAsking(card: Card): boolean {
  return (card.kind === 'ToolCall' || card.kind === 'ToolResult') && card.tool === 'ask_user'
}

/** A thought becomes a step when it is complete; until then its card is rendered from the stream. */
function thinkingPart({ id, text, run_id, conversation_id }: TextStream, { state }: RunJournal): ThreadPart {
  const card_id = `thinking:${id}`
  const card: Card = {
    card_id,
    run_id,
    conversation_id,
    seq: Number.MAX_SAFE_INTEGER,
    ts: '',
    set_aside: false,
    kind: 'Thinking',
    text,
    complete: false,
  }
  return { kind: 'card', id: card_id, card, state }
}

function asPart(message: ListedMessage): ThreadPart {
  return { kind: 'message', id: message.message_id, message }
}

/** Notices are placed by time. */
export function withNotices(
  parts: readonly ThreadPart[],
  notices: readonly PolicyNotice[],
  suggestions: readonly Suggestion[] = [],
): readonly ThreadPart[] {
  if (notices.length + suggestions.length === 0) return parts
  return placed(parts, [
    ...notices.map((notice) => ({ kind: 'policy', id: `policy:${notice.candidate_id}`, notice }) as const),
    ...suggestions.map((suggestion) => ({ kind: 'suggestion', id: `suggestion:${suggestion.id}`, suggestion }) as const),
  ])
}

/** Messages without a run are placed by time. */
function placed(parts: readonly ThreadPart[], loose: readonly ThreadPart[]): readonly ThreadPart[] {
  const timed = parts.map((part, index) => ({ part, index, at: timeOf(part) }))
  const all = [...timed]
  for (const part of loose) {
    const at = timeOf(part)
    const later = timed.find((one) => one.at > at)
    all.push({ part, index: later ? later.index - 0.5 : timed.length, at })
  }
  return all.sort((left, right) => left.index - right.index || (left.at < right.at ? -1 : 1)).map(({ part }) => part)
}

function timeOf(part: ThreadPart): string {
  if (part.kind === 'message') return part.message.created_at
  if (part.kind === 'line') return part.line.ts
  if (part.kind === 'team') return part.news.step.ts
  if (part.kind === 'policy') return part.notice.at
  if (part.kind === 'suggestion') return part.suggestion.created_at
  return part.kind === 'card' ? part.card.ts : ''
}

/** No stream is needed for text whose message has arrived, thoughts and progress that are steps now, and the status of a stopped run. */
export function isStreamRedundant(state: Pick<WindowState, 'journals' | 'messages'>, stream: TextStream): boolean {
  const journal = state.journals.get(stream.run_id)
  if (stream.kind === 'text') return state.messages.get(stream.conversation_id)?.has(stream.id) ?? false
  if (stream.kind === 'thinking') return journal?.cards.some(({ card_id }) => card_id === `thinking:${stream.id}`) ?? false
  if (stream.kind === 'status' && journal && journal.state !== 'running') return true
  return journal?.cards.some(({ card_id }) => card_id === `result:${stream.id}`) ?? false
}
