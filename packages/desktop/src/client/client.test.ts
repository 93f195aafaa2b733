import type { Conversation, LocalRun } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { testClock } from '../../test/support/connection/test-clock.ts'
import { ids, wholeRun } from '../../test/support/store/test-steps.ts'
import type { SocketEvents } from '../connection/channel.ts'
import { openCardModeStore } from '../store/card-modes.ts'
import { openRuntimeClient } from './client.ts'

interface Asked {
  readonly id: number
  readonly method: string
  readonly params: {
    readonly after_seq?: number
    readonly hidden?: boolean
    readonly pinned?: boolean
    readonly families_of?: readonly string[]
    readonly cursor?: string
    readonly conversation_id?: string
    readonly topics?: readonly string[]
    readonly run_id?: string
    readonly subscription_id?: string
  }
}

const nothing = { items: [], next_cursor: null }
const settings = { settings: { tour: 'taken' } }
const empty: Readonly<Record<string, object>> = { runtime_get_settings: settings, agent_run_get_queue: { queued: [] } }

/** A client on a connection that responds when the test lets it. */
function setUp() {
  const clock = testClock(1_000)
  const lines: SocketEvents[] = []
  const asked: Asked[] = []
  const client = openRuntimeClient(
    clock,
    openCardModeStore(() => ({ getItem: () => null, setItem: () => undefined })),
    {
      isHostReachable: async () => true,
      open(on) {
        lines.push(on)
        return { send: (text) => asked.push(JSON.parse(text)), close: () => on.closed() }
      },
    },
  )
  const line = () => {
    const last = lines.at(-1)
    if (!last) throw new Error('no line was opened')
    return last
  }
  const answer = ({ id }: Asked, result: unknown) => line().message(JSON.stringify({ jsonrpc: '2.0', id, result }))
  /** Answers all pending calls, and those that follow from them. */
  const answerAll = async (answers: Readonly<Record<string, (params: Asked['params']) => unknown>>) => {
    for (let quiet = 0; quiet < 20; quiet += 1) {
      for (const one of asked.splice(0)) {
        quiet = 0
        answer(one, answers[one.method]?.(one.params) ?? empty[one.method] ?? nothing)
      }
      await Promise.resolve()
    }
  }
  return { clock, client, line, asked, answer, answerAll }
}

test('cards of a run close like the others if its end is only read after a reconnect', async () => {
  const { clock, client, line, answerAll } = setUp()
  const serve = (state: LocalRun['state'], steps: number) => ({
    agent_run_list: () => ({ items: [{ run_id: ids.run, conversation_id: ids.conversation, state }], next_cursor: null }),
    agent_run_list_steps: ({ after_seq = -1 }: Asked['params']) => ({ items: wholeRun.slice(after_seq + 1, steps) }),
  })
  line().opened()
  client.openThread(ids.conversation)
  await answerAll(serve('running', 4))
  client.disclosures.track('call:c1', ids.run, 'running')
  line().closed()
  clock.pass(250)
  line().opened()
  await answerAll(serve('completed', wholeRun.length))
  expect(client.store.get().journals.get(ids.run)?.state).toBe('completed')
  clock.pass(800)
  expect(client.disclosures.get('call:c1', 'completed').mode).toBe('auto_closed')
})

test('a run that is answering is asked once for the text so far, and again only if pieces are missing', async () => {
  const { clock, client, line, answerAll } = setUp()
  const [run_id, conversation_id] = [ids.run, ids.conversation]
  const begun: string[] = []
  const ended: string[] = []
  const serve = {
    agent_run_list: () => ({ items: [{ run_id, conversation_id, state: 'running' }], next_cursor: null }),
    agent_run_list_steps: ({ after_seq = -1 }: Asked['params']) => ({ items: wholeRun.slice(after_seq + 1, 2) }),
    subscribe: ({ topics = [], run_id: of }: Asked['params']) => {
      begun.push(`${topics.join('+')} of ${of === undefined ? 'all' : 'run'}`)
      return { subscription_id: `s${begun.length}` }
    },
    unsubscribe: ({ subscription_id = '' }: Asked['params']) => ended.push(subscription_id) && {},
  }
  const hear = (subscription_id: string, offset: number, text: string) => {
    const delta = { run_id, conversation_id, kind: 'text', id: 'm', offset, text }
    line().message(JSON.stringify({ jsonrpc: '2.0', method: 'delta', params: { subscription_id, delta } }))
  }
  const shown = () => client.store.get().streams.get('text:m')?.text
  line().opened()
  client.openThread(conversation_id)
  await answerAll(serve)
  expect(begun).toEqual(['event+delta of all', 'step of run', 'delta of run'])
  hear('s3', 0, 'The light')
  await answerAll(serve)
  expect(ended).toEqual(['s3'])
  hear('s1', 9, 'house ')
  clock.pass(300)
  expect(shown()).toBe('The lighthouse ')
  // "stands " is missing.
  hear('s1', 22, 'there.')
  clock.pass(300)
  await answerAll(serve)
  expect(begun.slice(3)).toEqual(['delta of run'])
  hear('s4', 0, 'The lighthouse stands ')
  clock.pass(300)
  expect(shown()).toBe('The lighthouse stands there.')
  line().closed()
  clock.pass(250)
  line().opened()
  await answerAll(serve)
  expect(begun.slice(4).sort()).toEqual(['delta of run', 'event+delta of all', 'step of run'])
})

test('a list that was requested earlier but arrives later changes nothing', async () => {
  const { client, line, asked, answer, answerAll } = setUp()
  line().opened()
  await answerAll({})
  const named = (title: string) => ({ items: [{ conversation_id: ids.conversation, title } as Conversation], next_cursor: null })
  const reply = async (questions: readonly Asked[], title: string) => {
    for (const one of questions) {
      const isList = one.method === 'conversation_list' && one.params.hidden === undefined
      answer(one, isList ? named(title) : one.method === 'runtime_get_settings' ? settings : nothing)
    }
  }
  const first = client.refreshLists()
  const earlier = asked.splice(0)
  const second = client.refreshLists()
  const later = asked.splice(0)
  await reply(later, 'Renamed')
  await second
  await reply(earlier, 'As it was')
  await first
  expect([...(client.store.get().conversations?.values() ?? [])].map(({ title }) => title)).toEqual(['Renamed'])
})

test('repeated refusals are one notice with a counter, which disappears when the next attempt succeeds', async () => {
  const { client, line, asked, answerAll } = setUp()
  line().opened()
  await answerAll({})
  const run_id = ids.run
  const attempt = async (doing: string, refused: boolean) => {
    const answer = client.call(doing, 'agent_run_pause', { run_id })
    const [{ id } = { id: 0 }] = asked.splice(0)
    const error = { code: -32_000, message: 'x', data: { code: 'run_busy', message: `not ${doing}`, remedy: 'Wait.' } }
    line().message(JSON.stringify({ jsonrpc: '2.0', id, ...(refused ? { error } : { result: { run_id, state: 'paused' } }) }))
    await answer
    return client.store.get().refusals.map((one) => `${one.doing} ${one.times}`)
  }
  expect(await attempt('Stopping', true)).toEqual(['Stopping 1'])
  expect(await attempt('Renaming', true)).toEqual(['Stopping 1', 'Renaming 1'])
  expect(await attempt('Stopping', true)).toEqual(['Renaming 1', 'Stopping 2'])
  expect(await attempt('Stopping', false)).toEqual(['Renaming 1'])
  expect(await attempt('Stopping', true)).toEqual(['Renaming 1', 'Stopping 1'])
})

/** A runtime with this many conversations, the newest first: `pinned` and `archived` ones among them. */
function manyConversations(number: number, pinned: readonly string[]) {
  const all = Array.from({ length: number }, (_, at) => ({
    ...{ conversation_id: `c${at}`, title: `Conversation ${at}`, hidden: false },
    pinned: pinned.includes(`c${at}`),
  }))
  const conversation_list = ({ hidden = false, pinned: only = false, families_of, cursor = '0' }: Asked['params']) => {
    if (families_of) return { items: all.filter((one) => families_of.includes(one.conversation_id)), next_cursor: null }
    if (hidden || only) return { items: hidden ? [] : all.filter((one) => one.pinned), next_cursor: null }
    const at = Number(cursor)
    return { items: all.slice(at, at + 200), next_cursor: at + 200 < all.length ? `${at + 200}` : null }
  }
  return { all, serve: { conversation_list } }
}

test('conversations beyond the newest 1,000: pinned and opened ones stay, others are read on request and stay read', async () => {
  const { client, line, answerAll } = setUp()
  const { all, serve } = manyConversations(1_500, ['c1400'])
  const known = () => client.store.get().conversations ?? new Map()
  const older = () => client.store.get().olderConversations
  line().opened()
  await answerAll(serve)
  expect([known().size, known().has('c1400'), older()]).toEqual([1_001, true, { active: true, archived: false }])
  const opened = client.readConversation('c1300')
  await answerAll(serve)
  expect([await opened, known().has('c1300')]).toEqual([{ ok: true, value: null }, true])
  const kept = known()
  const again = client.refreshLists()
  await answerAll(serve)
  await again
  // Nothing changed: nothing is rendered again.
  expect(known()).toBe(kept)
  const more = client.readOlderConversations('load', 'active')
  await answerAll(serve)
  await more
  expect([known().size, older().active]).toEqual([1_500, false])
  all.splice(5, 1)
  const later = client.refreshLists()
  await answerAll(serve)
  await later
  expect([known().size, known().has('c5'), known().has('c1300')]).toEqual([1_499, false, true])
})

test('what another program changes is read again', async () => {
  const { clock, client, line, answerAll } = setUp()
  const { all, serve } = manyConversations(3, [])
  line().opened()
  const answers = { ...serve, subscribe: () => ({ subscription_id: 's1' }) }
  await answerAll(answers)
  const hear = (change: string, conversation_id: string) => {
    const event = {
      ...{ event_id: 'e', event: 'conversation_changed', ts: '2026-01-01T00:00:00.000Z', agent_id: 'agent', conversation_id },
      ...{ run_id: null, step_id: null, data: { change } },
    }
    line().message(JSON.stringify({ jsonrpc: '2.0', method: 'event', params: { subscription_id: 's1', no: 1, event } }))
  }
  const known = () => [...(client.store.get().conversations?.keys() ?? [])].toSorted()
  const [deleted] = all.splice(0, 1)
  hear('deleted', 'c0')
  clock.pass(300)
  await answerAll(answers)
  expect(known()).toEqual(['c1', 'c2'])
  if (deleted) all.unshift(deleted)
  hear('created', 'c0')
  clock.pass(300)
  await answerAll(answers)
  expect(known()).toEqual(['c0', 'c1', 'c2'])
  // An import may have thousands: they are read together.
  all.pop()
  hear('imported', 'c2')
  clock.pass(300)
  await answerAll(answers)
  expect(known()).toEqual(['c0', 'c1', 'c2'])
  clock.pass(1_000)
  await answerAll(answers)
  expect(known()).toEqual(['c0', 'c1'])
})

test('the queue of a branch is shown, although the conversation it continues from is read at the same time', async () => {
  const { client, line, answerAll } = setUp()
  const conversations = ['conversation-1', 'conversation-2']
  const runOf = (conversation_id = '') => ({ run_id: `run of ${conversation_id}`, conversation_id, state: 'canceled' })
  line().opened()
  for (const conversation_id of conversations) client.openThread(conversation_id)
  await answerAll({
    agent_run_list: ({ conversation_id }) => ({ items: conversation_id ? [runOf(conversation_id)] : [], next_cursor: null }),
    agent_run_get_queue: ({ run_id }) => ({ queued: [{ message_id: `message of ${run_id}`, run_id }] }),
  })
  const shown = conversations.map((one) =>
    client.store
      .get()
      .queued.get(one)
      ?.map(({ message_id }) => message_id),
  )
  expect(shown).toEqual([['message of run of conversation-1'], ['message of run of conversation-2']])
})
