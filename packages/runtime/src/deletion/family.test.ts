import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Belonging, familyOf } from './family.ts'

const all: readonly Belonging[] = [
  { conversation_id: 'branch', belongs_to: 'tea', as: 'branch' },
  { conversation_id: 'branch of it', belongs_to: 'branch', as: 'branch' },
  { conversation_id: 'member', belongs_to: 'branch', as: 'member' },
  { conversation_id: 'coffee', belongs_to: 'gone', as: 'branch' },
]

test.each([
  [['tea'], ['tea', 'branch', 'branch of it', 'member']],
  [['branch of it'], ['tea', 'branch', 'branch of it', 'member']],
  // The conversation of a member can be deleted alone.
  [['member'], ['member']],
  [['other'], ['other']],
  [
    ['coffee', 'other'],
    ['coffee', 'gone', 'other'],
  ],
])('%j: %j', (first, family) => {
  expect(familyOf(first, all).toSorted()).toEqual(family.toSorted())
})

test('a family has everything that reads or belongs to one of it, also if it leads round in a circle; its own family is the same', () => {
  const id = fc.nat(8).map(String)
  const some = fc.array(fc.record({ conversation_id: id, belongs_to: id, as: fc.constantFrom('branch' as const, 'member' as const) }))
  fc.assert(
    fc.property(fc.array(id, { minLength: 1 }), some, (first, belongings) => {
      const family = new Set(familyOf(first, belongings))
      for (const one of first) expect(family).toContain(one)
      for (const { conversation_id, belongs_to, as } of belongings) {
        if (family.has(belongs_to)) expect(family).toContain(conversation_id)
        if (as === 'branch' && family.has(conversation_id)) expect(family).toContain(belongs_to)
      }
      expect(new Set(familyOf([...family], belongings))).toEqual(family)
    }),
  )
})
