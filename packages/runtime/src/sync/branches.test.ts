// A branch reaches other devices with its first run, in whatever order its facts arrive.
import { expect, test } from 'vitest'
import { type TestCloud, testCloud } from '../../test/support/sync/test-cloud.ts'
import { type TestDevice, testDevice } from '../../test/support/sync/test-device.ts'
import { historyBefore } from '../journal/branches.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }

function device(name: string, cloud: TestCloud): TestDevice {
  return testDevice(name, start, () => ({ pull: async (query) => cloud.pull(query), push: async (request) => cloud.push(request) }))
}

async function sync(one: TestDevice): Promise<void> {
  for (let count = 0; count < 20; count += 1) if ((await one.engine().round()).kind === 'done') return
  throw new Error('it does not end')
}

/** A run with one message and one answer. */
function talk(one: TestDevice, conversation: number, text: string): string {
  const journal = one.journal()
  const message_id = journal.messages.write({ conversation, run: null, role: 'user', author: 'person', text })
  const { run_id, no } = journal.start({ conversation, agent_id: 'a', title: text, model: 'm', sandbox_mode: 'workspace', message_id })
  const answer = journal.messages.write({ conversation, run: no, role: 'assistant', author: 'agent', text: `answer to ${text}` })
  journal.append(run_id, { kind: 'message.completed', message_id: answer })
  journal.append(run_id, { kind: 'run.completed', usage })
  return run_id
}

test.each(['in order', 'reversed'])('another device knows where a branch parts, and reads its history (%s)', async (order) => {
  const cloud = testCloud(() => start)
  const one = device('one', cloud)
  const { conversations } = one.journal()
  const parent = conversations.create({ agent_id: 'a', title: 'Tea', workspace: '/w' })
  const first = talk(one, parent.no, 'one')
  const second = talk(one, parent.no, 'two')
  const point = { conversation_id: parent.conversation_id, run_id: second, seq: 0 }
  const branch = conversations.create({ agent_id: 'a', title: 'Tea', workspace: '/w', branch: point })
  const own = talk(one, branch.no, 'another two')
  const later = talk(one, branch.no, 'three')
  await sync(one)
  if (order === 'reversed') {
    const changes = [...cloud.rows().values()].map(({ change }) => change)
    cloud.restore({ rows: new Map(), head: 0, purged: 0 })
    for (const change of changes.toReversed()) cloud.push({ device_id: 'one', changes: [change] })
  }
  const two = device('two', cloud)
  await sync(two)
  const there = two.journal()
  expect(there.conversations.get(branch.conversation_id)?.branch).toEqual(point)
  expect(there.conversations.get(parent.conversation_id)?.branch).toBeNull()
  // Only its first run has it.
  const started = [own, later].map((run_id) => there.steps(run_id)[0]?.step)
  expect(started.map((step) => step?.kind === 'run.started' && step.branch)).toEqual([point, undefined])
  const history = historyBefore(there, point)
  expect(history.flatMap(({ run, steps }) => (steps.length > 0 ? [run.run_id] : []))).toEqual([first])
  one.dispose()
  two.dispose()
})

test('a branch of itself, which only a damaged device could send, has no history and ends', () => {
  const one = device(
    'one',
    testCloud(() => start),
  )
  const journal = one.journal()
  const record = journal.conversations.create({ agent_id: 'a', title: 'T', workspace: '/w' })
  const run_id = talk(one, record.no, 'one')
  const point = { conversation_id: record.conversation_id, run_id, seq: 0 }
  const looped = { ...journal, conversations: { ...journal.conversations, get: () => ({ ...record, branch: point }) } }
  expect(historyBefore(looped, point).flatMap(({ steps }) => steps)).toEqual([])
  one.dispose()
})
