import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits/index.ts'
import {
  canonicalJson,
  compareBytes,
  compareWrites,
  type EntityWrite,
  isClockSkewed,
  merge,
  mergeTodoItems,
  type TodoItemLike,
} from './index.ts'

const time = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_050 }).map((ms) => new Date(ms).toISOString())
const device = fc.constantFrom('a', 'b', 'é', '\u{1F600}', '\uFF5E')
const write: fc.Arbitrary<EntityWrite> = fc.record({
  op: fc.constantFrom('upsert' as const, 'delete' as const),
  version: fc.integer({ min: 1, max: 3 }),
  updated_at: time,
  device_id: device,
  content_hash: fc.constantFrom('00', '11', '22'),
})
const item = fc.record({
  id: fc.constantFrom('1', '2', '3', '\uFF5E', '\u{1F600}'),
  state_ts: time,
  state: fc.constantFrom('pending', 'completed', 'deleted'),
})
const items = fc.array(item, { maxLength: 6 })

describe('append-only', () => {
  const fact: EntityWrite = { op: 'upsert', version: 1, updated_at: '2026-01-01T00:00:00.000Z', device_id: 'a', content_hash: '00' }

  test.each(['messages', 'tool_calls', 'agent_run_steps', 'workflow_run_events'] as const)('%s', (type) => {
    expect(merge(type, undefined, fact)).toEqual({ verdict: 'applied' })
    expect(merge(type, fact, { ...fact, version: 9, updated_at: '2027-01-01T00:00:00.000Z' })).toEqual({ verdict: 'duplicate' })
    expect(merge(type, fact, { ...fact, content_hash: '11' })).toMatchObject({ verdict: 'rejected', code: 'immutable' })
    expect(merge(type, fact, { ...fact, op: 'delete' })).toMatchObject({ verdict: 'rejected', code: 'append_only' })
    expect(merge(type, undefined, { ...fact, op: 'delete' })).toMatchObject({ verdict: 'rejected', code: 'append_only' })
  })

  test('a stored entity never changes', () => {
    fc.assert(
      fc.property(write, write, (stored, incoming) => ['duplicate', 'rejected'].includes(merge('messages', stored, incoming).verdict)),
    )
  })
})

describe('last-write-wins', () => {
  test('the order of writes is total', () => {
    fc.assert(
      fc.property(write, write, write, (a, b, c) => {
        expect(Math.sign(compareWrites(a, b))).toBe(-Math.sign(compareWrites(b, a)) + 0)
        if (compareWrites(a, b) <= 0 && compareWrites(b, c) <= 0) expect(compareWrites(a, c)).toBeLessThanOrEqual(0)
        const { op: _, ...keyA } = a
        const { op: __, ...keyB } = b
        expect(compareWrites(a, b) === 0).toBe(canonicalJson(keyA) === canonicalJson(keyB))
      }),
    )
  })

  test('the same write is kept in whatever order writes arrive', () => {
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 6 }), fc.integer(), (writes, seed) => {
        const shuffled = writes.toSorted((a, b) => hash(a, seed) - hash(b, seed))
        const { op: _, ...left } = settle(writes)
        const { op: __, ...right } = settle(shuffled)
        expect(left).toEqual(right)
      }),
    )
  })

  test.each(['agents', 'agent_tool_policies', 'agent_skill_bindings', 'mcp_servers'] as const)(
    '%s: later applies, earlier is stale, same is duplicate',
    (type) => {
      const base: EntityWrite = { op: 'upsert', version: 2, updated_at: '2026-01-01T00:00:00.500Z', device_id: 'b', content_hash: '11' }
      expect(merge(type, undefined, base)).toEqual({ verdict: 'applied' })
      expect(merge(type, base, base)).toEqual({ verdict: 'duplicate' })
      expect(merge(type, base, { ...base, updated_at: '2026-01-01T00:00:00.501Z', version: 1 })).toEqual({ verdict: 'applied' })
      expect(merge(type, base, { ...base, updated_at: '2026-01-01T00:00:00.499Z', version: 9 })).toEqual({ verdict: 'stale' })
      expect(merge(type, base, { ...base, version: 3, device_id: 'a' })).toEqual({ verdict: 'applied' })
      expect(merge(type, base, { ...base, device_id: 'a' })).toEqual({ verdict: 'stale' })
      expect(merge(type, base, { ...base, op: 'delete', device_id: 'c' })).toEqual({ verdict: 'applied' })
    },
  )
})

describe('todos', () => {
  const union = (left: TodoItemLike[], right: TodoItemLike[]) => mergeTodoItems(left, right)

  test('merging is commutative, associative and idempotent', () => {
    fc.assert(
      fc.property(items, items, items, (a, b, c) => {
        expect(union(a, b)).toEqual(union(b, a))
        expect(union(union(a, b), c)).toEqual(union(a, union(b, c)))
        expect(union(union(a, b), union(a, b))).toEqual(union(a, b))
        expect(union(union(a, b), b)).toEqual(union(a, b))
      }),
    )
  })

  test('no item is lost and none is added', () => {
    fc.assert(
      fc.property(items, items, (a, b) => {
        const all = [...a, ...b].map((one) => canonicalJson(one))
        const merged = union(a, b)
        expect(new Set(merged.map((one) => one.id))).toEqual(new Set([...a, ...b].map((one) => one.id)))
        for (const one of merged) expect(all).toContain(canonicalJson(one))
      }),
    )
  })

  const at = (todos: TodoItemLike[]): EntityWrite => ({
    op: 'upsert',
    version: 1,
    updated_at: '2026-01-01T00:00:00.000Z',
    device_id: 'a',
    content_hash: '',
    todos,
  })
  const later = (todos: TodoItemLike[]): EntityWrite => ({ ...at(todos), updated_at: '2026-01-02T00:00:00.000Z' })
  const one = { id: '1', state_ts: '2026-01-01T00:00:00.001Z' }
  const oneLater = { id: '1', state_ts: '2026-01-01T00:00:00.002Z' }
  const two = { id: '2', state_ts: '2026-01-01T00:00:00.001Z' }

  test.each([
    ['first', undefined, at([one]), { verdict: 'applied' }],
    ['first, out of order', undefined, at([two, one]), { verdict: 'merged', todos: [one, two], changed: true }],
    ['the same again', at([one]), at([one]), { verdict: 'duplicate' }],
    ['a superset', at([one]), at([one, two]), { verdict: 'applied' }],
    ['a subset', at([one, two]), at([one]), { verdict: 'merged', todos: [one, two], changed: false }],
    ['an older state', at([oneLater]), at([one]), { verdict: 'merged', todos: [oneLater], changed: false }],
    ['another item', at([one]), at([two]), { verdict: 'merged', todos: [one, two], changed: true }],
    ['the same, written later', at([one]), later([one]), { verdict: 'applied' }],
    ['the same, written earlier', later([one]), at([one]), { verdict: 'duplicate' }],
    ['a subset, written later', at([one, two]), later([one]), { verdict: 'merged', todos: [one, two], changed: true }],
    ['a superset, written earlier', later([one]), at([one, two]), { verdict: 'merged', todos: [one, two], changed: true }],
  ])('%s', (_name, stored, incoming, outcome) => {
    expect(merge('todos', stored, incoming)).toEqual(outcome)
  })

  test('cannot be deleted as a whole', () => {
    expect(merge('todos', at([one]), { ...at([]), op: 'delete' })).toMatchObject({ verdict: 'rejected', code: 'per_item' })
  })
})

test('text is compared by its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(compareBytes(a, b)).toBe(Math.sign(compareArrays(utf8(a), utf8(b))))
    }),
  )
})

test('a clock may be ahead by the allowed skew and no more', () => {
  const now = '2026-01-01T00:00:00.000Z'
  const ahead = (ms: number) => new Date(Date.parse(now) + ms).toISOString()
  expect(isClockSkewed({ updated_at: ahead(limits.clock_skew_ms) }, now)).toBe(false)
  expect(isClockSkewed({ updated_at: ahead(limits.clock_skew_ms + 1) }, now)).toBe(true)
  expect(isClockSkewed({ updated_at: now, todos: [{ id: '1', state_ts: ahead(limits.clock_skew_ms + 1) }] }, now)).toBe(true)
  expect(isClockSkewed({ updated_at: '1999-01-01T00:00:00.000Z' }, now)).toBe(false)
})

function settle(writes: readonly EntityWrite[]): EntityWrite {
  const [first, ...rest] = writes
  if (!first) throw new Error('nothing to settle')
  return rest.reduce((stored, incoming) => (merge('agents', stored, incoming).verdict === 'applied' ? incoming : stored), first)
}

function hash(value: EntityWrite, seed: number): number {
  return [...canonicalJson(value)].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0) + seed) | 0, 7)
}

function utf8(text: string): number[] {
  return [...text].flatMap((character) => {
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80) return [point]
    if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 63)]
    if (point < 0x10000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)]
    return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)]
  })
}

function compareArrays(a: number[], b: number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
