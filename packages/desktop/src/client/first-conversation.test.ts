import { expect, test } from 'vitest'
import type { Channel } from '../connection/channel.ts'
import { openFirstConversation } from './first-conversation.ts'

const here = { agent_id: '', workspace: '/one' }
const elsewhere = { agent_id: 'agent-2', workspace: '/two' }

/** Creates a conversation with each call, and records all calls. */
function setUp(runs: readonly object[] = []) {
  const asked: (readonly [string, unknown])[] = []
  let made = 0
  const call = async (command: string, params: unknown) => {
    asked.push([command, params])
    if (command === 'conversation_create') return { ok: true, value: { conversation: { conversation_id: `conversation-${++made}` } } }
    return { ok: true, value: { items: runs, next_cursor: null } }
  }
  return { first: openFirstConversation({ call: call as Channel['call'] }), asked }
}

test('after a refusal, nothing stays of the attempt, and the next one uses what is chosen then', async () => {
  const { first, asked } = setUp()
  await first.create(here, 'Hello')
  await first.failed({ code: 'not_found' })
  const second = await first.create(elsewhere, 'Hello')
  expect(second).toEqual({ ok: true, value: { conversation: { conversation_id: 'conversation-2' }, isReused: false } })
  expect(asked).toEqual([
    ['conversation_create', { title: 'Hello', workspace: '/one' }],
    ['agent_run_list', { conversation_id: 'conversation-1', limit: 1 }],
    ['conversation_delete', { conversation_ids: ['conversation-1'] }],
    ['conversation_create', { title: 'Hello', agent_id: 'agent-2', workspace: '/two' }],
  ])
})

test('after a lost connection, the same choices use the same conversation', async () => {
  const { first, asked } = setUp()
  await first.create(here, 'Hello')
  await first.failed({ code: 'disconnected' })
  expect(await first.create({ ...here }, 'Hello')).toEqual({
    ok: true,
    value: { conversation: { conversation_id: 'conversation-1' }, isReused: true },
  })
  expect(asked).toEqual([['conversation_create', { title: 'Hello', workspace: '/one' }]])
})

test.each([
  ['is deleted if no run started in it', [], true],
  ['stays if a run started in it', [{ run_id: 'run-1' }], false],
])('after a lost connection and other choices, the earlier conversation %s', async (_, runs, isDeleted) => {
  const { first, asked } = setUp(runs)
  await first.create(here, 'Hello')
  await first.failed({ code: 'disconnected' })
  await first.create(elsewhere, 'Hello')
  expect(asked.map(([command]) => command)).toEqual([
    'conversation_create',
    'agent_run_list',
    ...(isDeleted ? ['conversation_delete'] : []),
    'conversation_create',
  ])
})
