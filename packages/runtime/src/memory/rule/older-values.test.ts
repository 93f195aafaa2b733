import type { Memory } from '@tandem/contract/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { olderValues } from './older-values.ts'

type Told = Parameters<typeof olderValues>[0][number]

function told(id: string, content: string, more: Partial<Memory> = {}): Told {
  return {
    ...{ id, content, subject: 'user', created_at: `2026-03-0${id}T09:00:00.000Z`, procedure: null, quotes: [] },
    ...{ source_type: 'user_statement', authority: 'person', confirmed_by_user: false },
    ...more,
  }
}

const rows: readonly { readonly name: string; readonly memories: readonly Told[]; readonly gone: readonly string[] }[] = [
  {
    name: 'only the day differs',
    memories: [told('1', 'Team catch-up is Mondays at half seven.'), told('2', 'Team catch-up is Wednesdays at half seven.')],
    gone: ['1'],
  },
  {
    name: 'in other words',
    memories: [told('1', 'Keeley has college on Thursdays.'), told('2', "Keeley's at college on Fridays.")],
    gone: ['1'],
  },
  {
    name: 'the newest of three',
    memories: [
      told('2', 'The review budget is 40 pages a week.'),
      told('3', 'The review budget is 60 pages a week.'),
      told('1', 'The review budget is 20 pages a week.'),
    ],
    gone: ['2', '1'],
  },
  {
    name: 'both were said in one message',
    memories: ['1', '2'].map((id) =>
      told(id, `Choir rehearsal is on ${id === '1' ? 'Mondays' : 'Fridays'}.`, {
        quotes: [{ message_id: 'm', excerpt: 'Choir rehearsal' }],
      }),
    ),
    gone: [],
  },
  {
    name: 'something else',
    memories: [told('1', 'I indent Go with tabs.'), told('2', 'I indent Python with tabs.')],
    gone: [],
  },
  {
    name: 'one word in common',
    memories: [told('1', 'Lunch is at 12.'), told('2', 'Lunch is at 13.')],
    gone: [],
  },
  {
    name: 'about someone else',
    memories: [
      told('1', 'Prefers calls in the evening on Mondays.', { subject: 'entity:ada' }),
      told('2', 'Prefers calls in the evening on Fridays.', { subject: 'entity:bob' }),
    ],
    gone: [],
  },
  {
    name: 'a conclusion of the agent does not replace what the user said',
    memories: [
      told('1', 'Team catch-up is Mondays at half seven.'),
      told('2', 'Team catch-up is Wednesdays at half seven.', { authority: 'agent', source_type: 'memory_flush' }),
    ],
    gone: [],
  },
  {
    name: 'nor does anything newer replace what the user confirmed',
    memories: [
      told('1', 'Team catch-up is Mondays at half seven.', { confirmed_by_user: true }),
      told('2', 'Team catch-up is Wednesdays at half seven.'),
    ],
    gone: [],
  },
]

test.each(rows)('$name', ({ memories, gone }) => {
  expect([...olderValues(memories)].sort()).toEqual([...gone].sort())
})

test('the order does not matter, and the newest of the highest rank is never left out', () => {
  const days = fc.constantFrom('Mondays', 'Tuesdays', 'Fridays')
  const topics = fc.constantFrom('Team catch-up', 'Choir rehearsal', 'Lunch')
  const memory = fc.record({ day: days, topic: topics, number: fc.integer({ min: 1, max: 9 }), confirmed_by_user: fc.boolean() })
  fc.assert(
    fc.property(fc.uniqueArray(memory, { maxLength: 9, selector: ({ number }) => number }), (list) => {
      const memories = list.map(({ day, topic, number, confirmed_by_user }) =>
        told(String(number), `${topic} is on ${day}.`, { confirmed_by_user }),
      )
      const gone = olderValues(memories)
      expect(olderValues(memories.toReversed())).toEqual(gone)
      const left = memories.filter(({ id }) => !gone.has(id))
      expect(olderValues(left)).toEqual(new Set())
      const best = memories.toSorted(
        (one, other) => Number(other.confirmed_by_user) - Number(one.confirmed_by_user) || Number(other.id) - Number(one.id),
      )[0]
      if (best) expect(gone.has(best.id)).toBe(false)
    }),
  )
})
