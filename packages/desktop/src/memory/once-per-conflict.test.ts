import { expect, test } from 'vitest'
import { oncePerConflict } from './once-per-conflict.ts'

test('both sides of a conflict are one', () => {
  const memories = [
    { id: 'a', conflicts_with: ['b'] },
    { id: 'c', conflicts_with: ['d', 'e'] },
    { id: 'b', conflicts_with: ['a'] },
    { id: 'd', conflicts_with: ['c', 'e'] },
    { id: 'e', conflicts_with: ['c', 'd'] },
  ]
  expect(oncePerConflict(memories)).toEqual(['a', 'c'])
})
