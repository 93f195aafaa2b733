// A conversation as it is read: messages and cards in one row. Every part has a name that stays, so that nothing jumps.
import type { Card } from '@tandem/contract/card'
import type { ListedMessage } from '@tandem/contract/command'
import type { RunState } from '@tandem/contract/run'
import type { Journal } from './journal.ts'
import type { Stream } from './stream.ts'
import type { WindowState } from './window-state.ts'

export type Part =
  | { readonly kind: 'message'; readonly id: string; readonly message: ListedMessage }
  | {
      readonly kind: 'text'
      readonly id: string
      readonly text: string
      /** `cut`: the run went on without it. */
      readonly standing: 'coming' | 'cut'
    }
  | { readonly kind: 'card'; readonly id: string; readonly card: Card; readonly state: RunState }

type Messages = ReadonlyMap<string, ListedMessage>

export function threadOf(state: Pick<WindowState, 'journals' | 'messages' | 'streams'>, conversation_id: string): readonly Part[] {
  const messages = state.messages.get(conversation_id) ?? noMessages
  const journals = [...state.journals.values()].filter((journal) => journal.conversation_id === conversation_id)
  // Ids of runs sort by the time of their making.
  journals.sort((left, right) => (left.run_id < right.run_id ? -1 : 1))
  const streamsOf = new Map<string, Stream[]>()
  for (const stream of state.streams.values()) {
    if (stream.conversation_id === conversation_id) streamsOf.set(stream.run_id, [...(streamsOf.get(stream.run_id) ?? []), stream])
  }
  const parts = journals.flatMap((journal) => partsOfRun(journal, messages, streamsOf.get(journal.run_id) ?? noStreams))
  const shown = new Set(parts.map(({ id }) => id))
  const loose = [...messages.values()].filter(({ message_id }) => !shown.has(message_id)).map(asPart)
  return loose.length === 0 ? parts : placed(parts, loose)
}

const noMessages: Messages = new Map()
const noStreams: readonly Stream[] = []

/** Runs that are over are drawn once and kept. */
const drawn = new WeakMap<Journal, { messages: Messages; streams: readonly Stream[]; parts: readonly Part[] }>()

function partsOfRun(journal: Journal, messages: Messages, streams: readonly Stream[]): readonly Part[] {
  const kept = drawn.get(journal)
  if (kept && kept.messages === messages && kept.streams.length === 0 && streams.length === 0) return kept.parts
  const parts = drawRun(journal, messages, streams)
  drawn.set(journal, { messages, streams, parts })
  return parts
}

function drawRun(journal: Journal, messages: Messages, streams: readonly Stream[]): readonly Part[] {
  const texts = new Map(streams.filter(({ kind }) => kind === 'text').map(({ id, text }) => [id, text]))
  const thoughts = new Map(streams.filter(({ kind }) => kind === 'thinking').map((stream) => [stream.id, stream]))
  const row: { seq: number; part: Part }[] = []
  const told = new Map<string, number>()
  let status: Part | null = null
  for (const card of journal.cards) {
    const part: Part = { kind: 'card', id: card.card_id, card, state: journal.state }
    if (card.kind === 'Thinking') thoughts.delete(card.card_id.slice('thinking:'.length))
    if (card.kind === 'RunStatus') status = part
    else if (isAsking(card)) continue
    else row.push({ seq: card.seq, part })
  }
  for (const step of journal.steps) {
    const id = 'message_id' in step ? step.message_id : null
    if (id === null) continue
    const message = messages.get(id)
    if (message) told.set(id, step.seq)
    else if (step.kind === 'text.partial' || step.kind === 'message.completed') {
      told.set(id, step.seq)
      if (step.kind === 'text.partial' && !texts.has(id)) texts.set(id, step.text)
    }
  }
  const coming = journal.state === 'running'
  for (const [id, seq] of told) {
    const message = messages.get(id)
    if (message) row.push({ seq: message.role === 'user' ? -1 : seq, part: asPart(message) })
    else row.push({ seq, part: { kind: 'text', id, text: texts.get(id) ?? '', standing: coming ? 'coming' : 'cut' } })
  }
  row.sort((left, right) => left.seq - right.seq)
  const parts = row.map(({ part }) => part)
  for (const stream of thoughts.values()) parts.push(thinkingPart(stream, journal))
  for (const [id, text] of texts) {
    if (!told.has(id) && !messages.has(id)) parts.push({ kind: 'text', id, text, standing: coming ? 'coming' : 'cut' })
  }
  if (status) parts.push(status)
  return parts
}

/** A question has a card of its own. */
function isAsking(card: Card): boolean {
  return (card.kind === 'ToolCall' || card.kind === 'ToolResult') && card.tool === 'ask_user'
}

/** A thought becomes a step only when it is whole; until then its card is drawn from what has come. */
function thinkingPart({ id, text, run_id, conversation_id }: Stream, { state }: Journal): Part {
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

function asPart(message: ListedMessage): Part {
  return { kind: 'message', id: message.message_id, message }
}

/** Messages of no run stand where they were written. */
function placed(parts: readonly Part[], loose: readonly Part[]): readonly Part[] {
  const timed = parts.map((part, index) => ({ part, index, at: timeOf(part) }))
  const all = [...timed]
  for (const part of loose) {
    const at = timeOf(part)
    const later = timed.find((one) => one.at > at)
    all.push({ part, index: later ? later.index - 0.5 : timed.length, at })
  }
  return all.sort((left, right) => left.index - right.index || (left.at < right.at ? -1 : 1)).map(({ part }) => part)
}

function timeOf(part: Part): string {
  if (part.kind === 'message') return part.message.created_at
  return part.kind === 'card' ? part.card.ts : ''
}

/** Text whose message has arrived, and thoughts and progress that are steps now, need no stream any more. */
export function isToldElsewhere(state: Pick<WindowState, 'journals' | 'messages'>, stream: Stream): boolean {
  const journal = state.journals.get(stream.run_id)
  if (stream.kind === 'text') return state.messages.get(stream.conversation_id)?.has(stream.id) ?? false
  if (stream.kind === 'thinking') return journal?.cards.some(({ card_id }) => card_id === `thinking:${stream.id}`) ?? false
  return journal?.cards.some(({ card_id }) => card_id === `result:${stream.id}`) ?? false
}
