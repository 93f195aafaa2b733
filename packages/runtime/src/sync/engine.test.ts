// How the engine handles each response of the cloud. That everything converges is tested by the simulation.
import type { Change, PushRequest } from '@tandem/contract/sync'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestCloud, testCloud } from '../../test/support/sync/test-cloud.ts'
import { agentNamed, type TestDevice, testDevice, todoItem } from '../../test/support/sync/test-device.ts'
import type { Answer, SyncCloud } from './transport/cloud.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
let cloud: TestCloud
let asked: string[]
/** Responds instead of the cloud. */
let instead: (request: PushRequest) => Answer<never> | null
let change: (sent: Change) => 'taken' | 'invalid' | 'unknown_entity_type'
const devices: TestDevice[] = []
let one: TestDevice
let two: TestDevice

beforeEach(() => {
  cloud = testCloud(() => start)
  asked = []
  instead = () => null
  change = () => 'taken'
  one = device('one')
  two = device('two')
})
afterEach(() => {
  for (const each of devices.splice(0)) each.dispose()
})

function device(name: string): TestDevice {
  const made = testDevice(name, start, () => wire(name))
  devices.push(made)
  return made
}

function wire(name: string): SyncCloud {
  return {
    async pull(query) {
      asked.push(`${name} pulls`)
      return cloud.pull(query)
    },
    async push(request) {
      asked.push(`${name} pushes ${request.changes.length}`)
      const other = instead(request)
      if (other) return other
      const taken = request.changes.filter((sent) => change(sent) === 'taken')
      const answer = cloud.push({ ...request, changes: taken })
      if (answer.kind !== 'ok') return answer
      const verdicts = request.changes.map((sent, index) => {
        const code = change(sent)
        const at = taken.indexOf(sent)
        const judged = answer.body.verdicts[at]
        if (code === 'taken' && judged) return { ...judged, index }
        return { index, entity_id: sent.entity_id, verdict: 'rejected' as const, code: code as 'invalid', message: 'no' }
      })
      return { ...answer, body: { ...answer.body, verdicts } }
    },
  }
}

async function sync(device: TestDevice): Promise<void> {
  for (let count = 0; count < 10; count += 1) {
    const { kind } = await device.engine().round()
    if (kind === 'done') return
    if (kind === 'failed') throw new Error('failed')
  }
  throw new Error('it does not end')
}

const nameOn = (device: TestDevice, id = 'a') => device.records().get('agents', id)?.payload.name

test('a rejected change goes to quarantine with its reason, blocks nothing, and leaves it once it is accepted', async () => {
  change = ({ payload }) => (payload.name === 'bad' ? 'invalid' : 'taken')
  one.records().put('agents', 'a', agentNamed('bad'))
  one.records().put('agents', 'b', agentNamed('good'))
  await sync(one)
  expect([one.engine().outbox.count(), cloud.rows().has('agents b'), nameOn(one)]).toEqual([0, true, 'bad'])
  const [entry] = one.engine().quarantine.list()
  expect([entry?.code, entry?.message, entry?.change.payload.name]).toEqual(['invalid', 'no', 'bad'])
  one.records().put('agents', 'a', agentNamed('mended'))
  await sync(one)
  await sync(two)
  expect([one.engine().quarantine.list(), nameOn(two)]).toEqual([[], 'mended'])
})

test('what an older cloud does not know waits for its upgrade', async () => {
  change = () => 'unknown_entity_type'
  one.records().put('agents', 'a', agentNamed('new'))
  await sync(one)
  expect(
    one
      .engine()
      .quarantine.list()
      .map(({ code }) => code),
  ).toEqual(['unknown_entity_type'])
  change = () => 'taken'
  one.engine().reconsider()
  await sync(one)
  expect([one.engine().quarantine.list(), cloud.rows().has('agents a')]).toEqual([[], true])
})

test('a push that is too large is halved; a single change that is too large is set aside', async () => {
  instead = ({ changes }) =>
    changes.some(({ entity_id }) => entity_id === 'b')
      ? { kind: 'refused', status: 413, code: 'payload_too_large', detail: 'too large' }
      : null
  for (const id of ['a', 'b', 'c', 'd']) one.records().put('agents', id, agentNamed(id))
  await sync(one)
  expect([...cloud.rows().keys()].sort()).toEqual(['agents a', 'agents c', 'agents d'])
  expect(
    one
      .engine()
      .quarantine.list()
      .map(({ entity_id, code }) => [entity_id, code]),
  ).toEqual([['b', 'payload_too_large']])
})

test('a change that was overwritten during its push is still pending', async () => {
  one.records().put('agents', 'a', agentNamed('first'))
  instead = () => {
    instead = () => null
    one.records().put('agents', 'a', agentNamed('second'))
    return null
  }
  await sync(one)
  await sync(one)
  await sync(two)
  expect([one.engine().outbox.count(), nameOn(two)]).toEqual([0, 'second'])
})

test('stale and merged verdicts change the row immediately, without another pull', async () => {
  await sync(one)
  two.clock.set(start + 1_000)
  two.records().put('agents', 'a', agentNamed('later'))
  const conversation = '0199aaaa-0000-7000-8000-000000000001'
  two.records().put('todos', conversation, { todos: [todoItem(two.store(), 't1', 'theirs', 'pending')] })
  await sync(two)
  one.records().put('agents', 'a', agentNamed('earlier'))
  one.records().put('todos', conversation, { todos: [todoItem(one.store(), 't2', 'ours', 'pending')] })
  // The cursor is past the beginning, so that only pushing is allowed.
  one.engine().state.write({ cursor_ts: '2026-03-01T08:00:00.000Z' })
  asked.length = 0
  expect(await one.engine().pushOnly()).toEqual({ kind: 'done' })
  expect([
    asked,
    nameOn(one),
    one
      .records()
      .get('todos', conversation)
      ?.payload.todos.map(({ title }) => title),
  ]).toEqual([['one pushes 2'], 'later', ['theirs', 'ours']])
})

test('a purged deletion removes the row here; a change to it is set aside; what is new stays', async () => {
  for (const id of ['kept', 'gone', 'edited']) one.records().put('agents', id, agentNamed(id))
  await sync(one)
  await sync(two)
  await sync(one)
  one.records().remove('agents', 'gone')
  one.records().remove('agents', 'edited')
  await sync(one)
  cloud.purge()
  two.records().put('agents', 'edited', agentNamed('edited after'))
  two.records().put('agents', 'fresh', agentNamed('fresh'))
  await sync(two)
  await sync(one)
  const names = (device: TestDevice) =>
    device
      .records()
      .list('agents')
      .map(({ entity_id }) => entity_id)
  expect([names(one), names(two)]).toEqual([
    ['fresh', 'kept'],
    ['fresh', 'kept'],
  ])
  const [entry] = two.engine().quarantine.list()
  expect([entry?.code, entry?.change.payload.name]).toEqual(['deleted_elsewhere', 'edited after'])
  if (entry) two.store().transaction(() => two.engine().sendAgain(entry.change))
  await sync(two)
  await sync(one)
  expect(nameOn(one, 'edited')).toBe('edited after')
})

test('everything is sent again to a restored cloud, and nothing is removed', async () => {
  one.records().put('agents', 'old', agentNamed('old'))
  await sync(one)
  const backup = cloud.backup()
  one.records().put('agents', 'a', agentNamed('after the backup'))
  one.records().remove('agents', 'old')
  await sync(one)
  await sync(two)
  cloud.restore(backup)
  await sync(two)
  await sync(one)
  expect([nameOn(one), nameOn(two), nameOn(one, 'old'), cloud.rows().get('agents old')?.change.op]).toEqual([
    'after the backup',
    'after the backup',
    undefined,
    'delete',
  ])
})

test('a clock that is three days ahead is corrected, its changes are restamped, and the next write has the correct time', async () => {
  one.clock.set(start + 3 * 86_400_000)
  one.records().put('agents', 'a', agentNamed('ahead'))
  one.records().put('todos', '0199aaaa-0000-7000-8000-000000000001', { todos: [todoItem(one.store(), 't', 'ahead', 'pending')] })
  await sync(one)
  await sync(two)
  const stamp = two.records().get('agents', 'a')?.updated_at ?? 0
  expect([Math.abs(stamp - start) < 1_000, one.engine().outbox.count(), one.engine().quarantine.count()]).toEqual([true, 0, 0])
  two.records().put('agents', 'a', agentNamed('in time'))
  await sync(two)
  await sync(one)
  expect(nameOn(one)).toBe('in time')
})

test('a cloud whose own clock was set back is not asked endlessly', async () => {
  one.records().put('agents', 'a', agentNamed('a'))
  instead = ({ changes }) => {
    const server_ts = '2020-01-01T00:00:00.000Z'
    const verdicts = changes.map(({ entity_id }, index) => ({
      index,
      entity_id,
      verdict: 'rejected',
      code: 'clock_skew',
      message: 'ahead',
      server_ts,
    }))
    return { kind: 'ok', body: { verdicts, cursor_ts: server_ts, server_ts, epoch: 'epoch-1' } as never }
  }
  one.engine().state.write({ seen_at: start })
  expect((await one.engine().round()).kind).toBe('failed')
  expect(one.engine().outbox.count()).toBe(1)
})

test('a page that cannot be stored fails its round, whatever happens to the prefetched one', async () => {
  for (let count = 0; count < 20; count += 1) one.records().put('agents', `a${count}`, agentNamed('x'))
  await sync(one)
  let pages = 0
  const full = testDevice(
    'full',
    start,
    () => ({
      ...wire('full'),
      async pull(query) {
        pages += 1
        if (pages > 1) throw new Error('the line broke')
        return cloud.pull(query)
      },
    }),
    (ports) => ({
      ...ports,
      keepPage() {
        throw new Error('no space left')
      },
    }),
  )
  devices.push(full)
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', hear)
  try {
    await expect(full.engine().round()).rejects.toThrow('no space left')
    await new Promise(setImmediate)
    expect([pages, unheard]).toEqual([2, []])
  } finally {
    process.off('unhandledRejection', hear)
  }
})
