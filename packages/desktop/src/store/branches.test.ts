import fc from 'fast-check'
import { expect, test } from 'vitest'
import { families, forksOf, rootOf, segmentsOf } from './branches.ts'

type Made = Parameters<typeof segmentsOf>[0] extends ReadonlyMap<string, infer One> | null ? One : never

const point = (conversation_id: string, run_id: string, seq = 0) => ({ conversation_id, run_id, seq })
const made = (conversation_id: string, minute: number, branch?: Made['branch']): [string, Made] => [
  conversation_id,
  { conversation_id, created_at: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`, ...(branch ? { branch } : {}) },
]

/** `b` and `c` replace the second message of `a`; `d` continues `b` from its second run. */
const tree = new Map([
  made('a', 0),
  made('b', 1, point('a', 'r2')),
  made('c', 2, point('a', 'r2')),
  made('d', 3, point('b', 'r5')),
  made('x', 4),
])

test('a branch shows what it continues from, then its own', () => {
  expect(segmentsOf(tree, 'a')).toEqual([{ conversation_id: 'a', until: null }])
  expect(segmentsOf(tree, 'd')).toEqual([
    { conversation_id: 'a', until: point('a', 'r2') },
    { conversation_id: 'b', until: point('b', 'r5') },
    { conversation_id: 'd', until: null },
  ])
})

test('where conversations part, all of them can be chosen, in every one of them', () => {
  const first = { id: 'a:r2:0', choices: ['a', 'b', 'c'] }
  const second = { id: 'b:r5:0', choices: ['b', 'd'] }
  expect(forksOf(tree, 'a')).toEqual([{ ...first, at: point('a', 'r2'), in: 'a', chosen: 0 }])
  expect(forksOf(tree, 'c')).toEqual([{ ...first, at: null, in: 'c', chosen: 2 }])
  expect(forksOf(tree, 'b')).toEqual([
    { ...first, at: null, in: 'b', chosen: 1 },
    { ...second, at: point('b', 'r5'), in: 'b', chosen: 0 },
  ])
  expect(forksOf(tree, 'd')).toEqual([
    { ...first, at: null, in: 'b', chosen: 1 },
    { ...second, at: null, in: 'd', chosen: 1 },
  ])
  expect(forksOf(tree, 'x')).toEqual([])
})

test('a family is one line, at the place of its first member in the list', () => {
  const list = ['x', 'd', 'a', 'c', 'b'].map((conversation_id) => ({ conversation_id }))
  expect(
    families(tree, list).map(({ first, members }) => [first.conversation_id, members.map((one) => one.conversation_id).join('')]),
  ).toEqual([
    ['x', 'x'],
    ['d', 'dacb'],
  ])
})

test('whatever other devices sent, every conversation is in one family, and every path ends', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const any = fc.array(fc.tuple(id, fc.option(fc.tuple(id, fc.constantFrom('r1', 'r2'), fc.nat(3)), { nil: undefined })))
  fc.assert(
    fc.property(any, (all) => {
      const known = new Map(all.map(([one, from], at) => made(one, at % 60, from && point(...from))))
      const list = [...known.values()]
      expect(families(known, list).flatMap(({ members }) => members).length).toBe(list.length)
      for (const { conversation_id } of list) {
        expect(segmentsOf(known, conversation_id).at(-1)?.conversation_id).toBe(conversation_id)
        expect(rootOf(known, conversation_id)).toBe(segmentsOf(known, conversation_id)[0]?.conversation_id)
        for (const { choices, chosen } of forksOf(known, conversation_id)) expect(choices[chosen]).toBeDefined()
      }
    }),
  )
})
