import { hash } from 'node:crypto'
import { limits } from '@tandem/contract/limits'
import { entityTypes } from '@tandem/contract/sync'
import { describe, expect, test } from 'vitest'
import { change } from '../../test/support/test-change.ts'
import { readChange } from './change.ts'

const server = '2026-01-01T00:00:00.000Z'
const read = (value: object) => readChange(value, 'laptop', server)
const item = { id: '1', state_ts: server }
const todos = (items: unknown, op = 'upsert') => ({ ...change(), entity_type: 'todos', op, payload: { todos: items } })
const todosWith = (fields: object) => ({ ...change(), entity_type: 'todos', payload: { todos: [item], ...fields } })
const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
const ofBytes = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

test('a prepared change has a record with the fields of the contract and a canonical payload', () => {
  const { payload: _, ...marks } = change()
  const sent = { payload: { b: 1, a: '\u0000' }, ...marks }
  expect(read(sent)).toEqual({
    ok: true,
    incoming: {
      key: 'agents agent-1',
      entity_type: 'agents',
      entity_id: 'agent-1',
      source_ts: server,
      write: {
        op: 'upsert',
        version: 1,
        updated_at: server,
        device_id: 'laptop',
        content_hash: hash('sha256', '{"a":"\\u0000","b":1}'),
      },
      record: `{"entity_type":"agents","entity_id":"agent-1","op":"upsert","version":1,"updated_at":"${server}","source_ts":"${server}","payload":{"a":"\\u0000","b":1}}`,
    },
  })
})

test('equal content has one hash, in any order of fields; a delete has another', () => {
  const hashOf = (value: object) => {
    const reading = read(value)
    return reading.ok ? reading.incoming.write.content_hash : undefined
  }
  expect(hashOf({ ...change(), payload: { a: 1, b: [2] } })).toBe(hashOf({ ...change(), version: 7, payload: { b: [2], a: 1 } }))
  expect(hashOf({ ...change(), op: 'delete' })).not.toBe(hashOf(change()))
})

test.each([
  [
    'an unknown entity type',
    { ...change(), entity_type: 'dreams' },
    'unknown_entity_type',
    'this server does not know the entity type "dreams"',
  ],
  [
    'a property of all objects',
    { ...change(), entity_type: 'toString' },
    'unknown_entity_type',
    'this server does not know the entity type "toString"',
  ],
  ['no entity type', { ...change(), entity_type: 7 }, 'invalid', `\`entity_type\` must be one of ${Object.keys(entityTypes).join(', ')}`],
  ['nothing', {}, 'invalid', '`entity_type` is missing'],
  ['a version that is text', { ...change(), version: '1' }, 'invalid', '`version` must be a whole number'],
  ['version 0', { ...change(), version: 0 }, 'invalid', '`version` must be at least 1'],
  ['an unknown operation', { ...change(), op: 'patch' }, 'invalid', '`op` must be one of upsert, delete'],
  [
    'a time without milliseconds',
    { ...change(), updated_at: '2026-01-01T00:00:00Z' },
    'invalid',
    expect.stringMatching(/^`updated_at` must be a valid UTC timestamp/),
  ],
  [
    'a day that does not exist',
    { ...change(), updated_at: '2026-02-30T00:00:00.000Z' },
    'invalid',
    expect.stringMatching(/^`updated_at` must be a valid UTC timestamp/),
  ],
  ['an additional field', { ...change(), user_id: 'somebody' }, 'invalid', '`user_id` is not a field of a change'],
  ['a payload that is a list', { ...change(), payload: [] }, 'invalid', '`payload` must be an object'],
  [
    'an id with a NUL',
    { ...change(), entity_id: 'a\u0000' },
    'invalid',
    '`entity_id` may only contain letters, digits and the characters . _ : @ / -',
  ],
  [
    'a payload that is nested too deeply',
    { ...change(), payload: deep(40_000) },
    'invalid',
    '`payload` is nested too deeply to be written as JSON',
  ],
  ['todos without items', { ...change(), entity_type: 'todos' }, 'invalid', '`payload.todos` is missing'],
  ['todos with a field besides the items', todosWith({ title: 'Plan' }), 'invalid', '`payload.title` is not a field of todos'],
  ['an item without a time', todos([item, { id: '2' }]), 'invalid', '`payload.todos[1].state_ts` is missing'],
  ['too many items', todos(Array.from({ length: 501 }, () => item)), 'invalid', '`payload.todos` must have at most 500 items'],
])('%s is rejected with its code', (_name, value, code, message) => {
  expect(read(value)).toEqual({ ok: false, rejection: { code, message } })
})

test('items may have fields that the server does not know', () => {
  expect(read(todos([{ ...item, colour: 'red' }])).ok).toBe(true)
})

describe('far too large changes are rejected without checking every part', () => {
  const many = <Value>(count: number, value: (index: number) => Value) => Array.from({ length: count }, (_, index) => value(index))
  const wide = (count: number) => Object.fromEntries(many(count, (index) => [`name${index}`, 1]))
  /** How many properties of `value` were read. */
  function reads(value: object): number {
    let count = 0
    const watched: object = new Proxy(value, {
      get: (target, name, self) => {
        count += 1
        return Reflect.get(target, name, self)
      },
    })
    read(watched)
    return count
  }

  test('names', () => {
    const value = { ...change(), ...wide(20_000) }
    expect(read(value)).toEqual({ ok: false, rejection: { code: 'invalid', message: '`name0` is not a field of a change' } })
    expect(reads(value)).toBeLessThan(50)
  })

  test('a long name is cut', () => {
    const reading = read({ ...change(), ['x'.repeat(100_000)]: 1 })
    expect(reading.ok ? '' : reading.rejection.message).toHaveLength('``'.length + 300 + ' is not a field of a change'.length)
  })

  test('items', () => {
    const looked = new Set<PropertyKey>()
    const items = new Proxy(
      many(20_000, () => item),
      {
        get: (target, name, self) => {
          looked.add(name)
          return Reflect.get(target, name, self)
        },
      },
    )
    const message = '`payload.todos` must have at most 500 items'
    expect(read(todos(items))).toEqual({ ok: false, rejection: { code: 'invalid', message } })
    expect([...looked]).toEqual(['length'])
  })

  test('bytes', () => {
    const reading = read({ ...change(), version: 0, payload: { a: wide(30_000) } })
    expect(reading).toMatchObject({ ok: false, rejection: { code: 'payload_too_large' } })
  })
})

test('a payload may have the maximum bytes of UTF-8 and not one more', () => {
  expect(read({ ...change(), payload: ofBytes(limits.payload_bytes) }).ok).toBe(true)
  const tooLarge = { ok: false, rejection: { code: 'payload_too_large' } }
  expect(read({ ...change(), payload: ofBytes(limits.payload_bytes + 1) })).toMatchObject(tooLarge)
  expect(read({ ...change(), payload: { text: 'é'.repeat(limits.payload_bytes / 2) } })).toMatchObject(tooLarge)
})

test("a time past the skew is rejected with the server's time; deleting todos is left to their rule", () => {
  const late = new Date(Date.parse(server) + limits.clock_skew_ms + 1).toISOString()
  const skewed = { ok: false, rejection: { code: 'clock_skew', server_ts: server } }
  expect(read({ ...change(), updated_at: late })).toMatchObject(skewed)
  expect(read(todos([{ ...item, state_ts: late }]))).toMatchObject(skewed)
  expect(read({ ...change(), source_ts: late }).ok).toBe(true)
  expect(read(todos('whatever', 'delete')).ok).toBe(true)
})
