import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChangeResult, readChange } from './change.ts'
import { fold, type StoredEntity } from './fold.ts'

const now = '2026-06-01T12:00:00.000Z'
const time = fc.integer({ min: 0, max: 5 }).map((ms) => new Date(Date.parse(now) - 1_000 + ms).toISOString())
const item = fc.record({ id: fc.constantFrom('a', 'b', 'c'), state_ts: time, title: fc.constantFrom('one', 'two') })
const items = fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 3 })
const write = fc.record({
  device: fc.constantFrom('laptop', 'desk', 'phone'),
  version: fc.integer({ min: 1, max: 3 }),
  at: time,
  todos: items,
})

type TodosWrite = typeof write extends fc.Arbitrary<infer Value> ? Value : never

function reading({ device, version, at, todos }: TodosWrite): ChangeResult {
  const change = { entity_type: 'todos', entity_id: 'c', op: 'upsert', version, updated_at: at, source_ts: now, payload: { todos } }
  return readChange(change, device, now)
}

/** Each write in its own push, on the result of the previous ones. */
function arrive(writes: readonly TodosWrite[]): { record: string | undefined; device_id: string | undefined } {
  let stored: StoredEntity | undefined
  for (const one of writes) {
    const folded = fold(new Map(stored ? [['todos c', stored]] : []), [reading(one)], Number.POSITIVE_INFINITY)
    if (folded === 'too_much') throw new Error('too much')
    const entity = folded.rows[0]?.entity
    if (!entity) continue
    const { source_ts, payload } = JSON.parse(entity.record)
    stored = { write: { ...entity.write, todos: payload.todos }, bytes: 0, todos: { source_ts, record: entity.record } }
  }
  return { record: stored?.todos?.record, device_id: stored?.write.device_id }
}

test('a todos record is the same in any order of its writes, with its version and its time', () => {
  const inTwoOrders = fc
    .array(write, { minLength: 2, maxLength: 5 })
    .chain((writes) => fc.tuple(fc.constant(writes), fc.shuffledSubarray(writes, { minLength: writes.length, maxLength: writes.length })))
  fc.assert(
    fc.property(inTwoOrders, ([one, other]) => {
      expect(arrive(other)).toEqual(arrive(one))
    }),
  )
})

test('repeating pushes changes nothing', () => {
  fc.assert(
    fc.property(fc.array(write, { minLength: 1, maxLength: 4 }), fc.nat(), (writes, which) => {
      expect(arrive([...writes, writes[which % writes.length] ?? expect.fail()])).toEqual(arrive(writes))
    }),
  )
})
