import type { Conversation, Delta, ListedMessage } from '@tandem/contract/command'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ids, stepsOf, wholeRun } from '../../test/support/store/test-steps.ts'
import { type ThreadPart, threadOf } from '../store/thread.ts'
import { emptyState, type WindowState } from '../store/window-state.ts'
import { applyMessages, applyUpdates, type RuntimeUpdate } from './updates.ts'

const message = (message_id: string, role: 'user' | 'assistant', text: string): ListedMessage => ({
  message_id,
  conversation_id: ids.conversation,
  agent_id: 'agent',
  run_id: ids.run,
  role,
  text,
  attachments: [],
  created_at: '2026-01-01T00:00:00.000Z',
  set_aside: false,
})
const messages = [message(ids.user, 'user', 'Hello'), message(ids.said, 'assistant', 'Hello yourself')]
const text = 'Hello yourself'
const delta = (offset: number, end: number): Delta => ({
  run_id: ids.run,
  conversation_id: ids.conversation,
  kind: 'text',
  id: ids.said,
  offset,
  text: text.slice(offset, end),
})
const steps: RuntimeUpdate[] = wholeRun.map((step) => ({ type: 'step', step }))
const deltas: RuntimeUpdate[] = [delta(0, 5), delta(5, 9), delta(9, 14)].map((one) => ({ type: 'delta', delta: one }))
const read = (state: WindowState) => applyMessages(state, ids.conversation, messages)
const conversation = { conversation_id: ids.conversation, title: 'Hello', model: 'test/before' } as unknown as Conversation

test('run options that another window or a terminal chose are shown at once', () => {
  const chosen = (conversation_id: string, model: string | null): RuntimeUpdate => ({
    type: 'event',
    event: {
      no: 1,
      event: {
        ...{ event_id: 'e', event: 'conversation_options_changed', ts: '2026-01-01T00:00:00.000Z' },
        ...{ agent_id: 'agent', conversation_id, run_id: null, step_id: null, data: { model, sandbox_mode: 'strict' } },
      },
    },
  })
  const state = { ...emptyState, conversations: new Map([[ids.conversation, conversation]]) }
  const shown = (updates: RuntimeUpdate[]) => [...(applyUpdates(state, updates).conversations ?? [])]
  const news = [chosen(ids.conversation, 'test/first'), chosen(ids.conversation, null), chosen('unknown', 'test/other')]
  expect(shown(news)).toEqual([[ids.conversation, { conversation_id: ids.conversation, title: 'Hello', sandbox_mode: 'strict' }]])
})

const row = (state: WindowState) => threadOf(state, ids.conversation).map((part: ThreadPart) => [part.kind, part.id])

const whole = [
  ['message', ids.user],
  ['card', 'thinking:t1'],
  ['card', 'call:c1'],
  ['message', ids.said],
  ['card', `run:${ids.run}`],
]

test('a run is shown as request, actions, answer and state', () => {
  expect(row(read(applyUpdates(emptyState, steps)))).toEqual(whole)
})

test('updates in any batches, repeated and in any order, lead to the same thread', () => {
  const all = [...steps, ...deltas]
  fc.assert(
    fc.property(
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.array(fc.constantFrom(...all)),
      fc.nat(all.length),
      (news, again, cut) => {
        const portions = applyUpdates(applyUpdates(applyUpdates(emptyState, news.slice(0, cut)), again), news.slice(cut))
        const state = read(portions)
        expect(row(state)).toEqual(whole)
        expect(state.streams.size).toBe(0)
        expect(row(applyUpdates(state, [...again, ...news]))).toEqual(whole)
      },
    ),
  )
})

test('streaming text is shown at the end of its run, complete, in whatever order its deltas arrive', () => {
  const begun = applyUpdates(emptyState, steps.slice(0, 2))
  fc.assert(
    fc.property(fc.shuffledSubarray(deltas, { minLength: 3 }), fc.array(fc.constantFrom(...deltas)), (pieces, again) => {
      const state = applyUpdates(begun, [...pieces, ...again])
      expect(threadOf(state, ids.conversation).at(-2)).toEqual({ kind: 'text', id: ids.said, text, status: 'coming' })
    }),
  )
})

test('text after a gap waits for the delta that fills it', () => {
  const gap = applyUpdates(emptyState, [...steps.slice(0, 2), ...deltas.slice(0, 1), ...deltas.slice(2)])
  expect(gap.streams.get(`text:${ids.said}`)).toMatchObject({ text: 'Hello', pending: [{ offset: 9 }] })
  expect(applyUpdates(gap, [{ type: 'delta', delta: delta(0, 11) }]).streams.get(`text:${ids.said}`)).toMatchObject({ text, pending: [] })
})

test('no text disappears between the end of a message and reading it', () => {
  const state = applyUpdates(emptyState, [...steps.slice(0, 6), ...deltas])
  expect(threadOf(state, ids.conversation)).toContainEqual({ kind: 'text', id: ids.said, text, status: 'coming' })
  expect(row(read(state)).filter(([, id]) => id === ids.said)).toEqual([['message', ids.said]])
})

test('a complete message is not shown as cut off, even if its run ended before the message was read', () => {
  const ended = stepsOf(
    { kind: 'run.started', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: ids.user },
    { kind: 'message.completed', message_id: ids.said },
    { kind: 'run.completed', usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false } },
  )
  const news = ended.map((step) => ({ type: 'step' as const, step }))
  for (const order of [
    [...deltas, ...news],
    [...news, ...deltas],
  ]) {
    const state = applyUpdates(emptyState, order)
    expect(threadOf(state, ids.conversation)).toContainEqual({ kind: 'text', id: ids.said, text, status: 'coming' })
  }
})

test('text from before a run was interrupted stays readable', () => {
  const cut = stepsOf(
    { kind: 'run.started', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: ids.user },
    { kind: 'text.partial', message_id: ids.said, text: 'Hello' },
    { kind: 'run.paused', reason: 'crash' },
  )
  const state = applyUpdates(
    emptyState,
    cut.map((step) => ({ type: 'step', step })),
  )
  const kept = { kind: 'text', id: ids.said, text: 'Hello', status: 'cut' }
  expect(threadOf(state, ids.conversation)).toContainEqual(kept)

  // Also while the run continues with another answer: that one is streaming, this one is not.
  const going = applyUpdates(
    emptyState,
    cut.slice(0, 2).map((step) => ({ type: 'step', step })),
  )
  const next = { ...delta(0, 5), id: 'message-2' }
  const texts = threadOf(applyUpdates(going, [{ type: 'delta', delta: next }]), ids.conversation).filter(({ kind }) => kind === 'text')
  expect(texts).toEqual([kept, { kind: 'text', id: 'message-2', text: 'Hello', status: 'coming' }])
})

test('cards that did not change stay the same objects', () => {
  const before = applyUpdates(emptyState, steps.slice(0, 5))
  const after = applyUpdates(before, steps.slice(5))
  const card = (state: WindowState, id: string) => state.journals.get(ids.run)?.cards.find((one) => one.card_id === id)
  expect(card(after, 'result:c1')).toBe(card(before, 'result:c1'))
  expect(card(after, `run:${ids.run}`)).not.toBe(card(before, `run:${ids.run}`))
})

test('a step without a card is a line at its position between other steps', () => {
  const [started] = wholeRun
  if (!started) throw new Error('the run has no steps')
  const last = wholeRun.at(-1)?.seq ?? 0
  const { run_id, conversation_id, agent_id, device_id, ts } = started
  const unheard: RuntimeUpdate = {
    type: 'step',
    step: {
      step_id: 'unheard',
      run_id,
      conversation_id,
      agent_id,
      device_id,
      seq: last + 1,
      ts,
      kind: 'unknown',
      unknown_kind: 'team.vote',
      fields: '{}',
    },
  }
  const state = read(applyUpdates(emptyState, [...steps, unheard]))
  expect(row(state)).toEqual([...whole.slice(0, -1), ['line', 'unheard'], ...whole.slice(-1)])
  const part = threadOf(state, ids.conversation).find(({ kind }) => kind === 'line')
  expect(part?.kind === 'line' && part.line.text).toBe(
    'A newer version of Tandem recorded a step here (team.vote). Update Tandem to read it.',
  )
})

test('a status replaces the previous one, ends when it is empty, and ends with the run', () => {
  const status = (value: string): RuntimeUpdate => ({
    type: 'delta',
    delta: { run_id: ids.run, conversation_id: ids.conversation, kind: 'status', id: 'c1', offset: 0, text: value },
  })
  const shown = (state: WindowState) => state.streams.get('status:c1')?.text
  const running = applyUpdates(emptyState, steps.slice(0, 2))
  expect(shown(applyUpdates(running, [status('… 10 files'), status('… 9 files')]))).toBe('… 9 files')
  expect(shown(applyUpdates(running, [status('… 10 files'), status('')]))).toBe(undefined)
  expect(shown(applyUpdates(applyUpdates(running, [status('… 10 files')]), steps))).toBe(undefined)
})

test('a message that was written while the run was open is last until the run has received it, and then where it was received', () => {
  const [first, second, call, begun, result] = wholeRun
  if (!first || !second || !call || !begun || !result) throw new Error('the run has these steps')
  const news = (...all: typeof wholeRun) => all.map((step): RuntimeUpdate => ({ type: 'step', step }))
  const queued = [{ message_id: 'message-2', run_id: ids.run, text: 'Be quick.', attachments: [], queued_at: '2026-01-01T00:00:03.000Z' }]
  const open = { ...applyUpdates(emptyState, news(first, second)), queued: new Map([[ids.conversation, queued]]) }
  expect(row(open).at(-1)).toEqual(['queued', 'message-2'])
  const written = { ...message('message-2', 'user', 'Be quick.'), run_id: null, created_at: '2026-01-01T00:00:03.000Z' }
  const read = applyMessages(open, ids.conversation, [written])
  expect(row(read)).toEqual([
    ['card', 'thinking:t1'],
    ['card', `run:${ids.run}`],
    ['queued', 'message-2'],
  ])
  const received = { ...call, kind: 'message.received', message_id: 'message-2' } as (typeof wholeRun)[number]
  const later = { ...result, ...call, step_id: 'later', seq: 9 }
  expect(row(applyUpdates(read, news(received, later)))).toEqual([
    ['card', 'thinking:t1'],
    ['message', 'message-2'],
    ['card', 'call:c1'],
    ['card', `run:${ids.run}`],
  ])
})
