import { expect, test } from 'vitest'
import { similarLines } from './similar-lines.ts'

test.each([
  [
    'a typo',
    'alpha\nconst total = count(x)\nomega',
    'const totl = count(x)',
    { lines: [{ line: 2, text: 'const total = count(x)' }], differs_in_space_at: null },
  ],
  [
    'white space',
    'a\n  if (x) {\n    y()\n  }',
    'if (x) {\n  y()\n}',
    { lines: [{ line: 2, text: '  if (x) {' }], differs_in_space_at: 2 },
  ],
  ['nothing like it', 'alpha\nbeta', 'zzzz', { lines: [], differs_in_space_at: null }],
  ['only white space', 'alpha\n\n', '\n\n\n', { lines: [], differs_in_space_at: null }],
])('%s', (_, text, wanted, near) => {
  expect(similarLines(text, wanted)).toEqual(near)
})

test('the best matches come first, at most three', () => {
  const text = ['the quick brown fox', 'the quick brown dog', 'the quick brown fix', 'the slow brown fox', 'other'].join('\n')
  expect(similarLines(text, 'the quick brown fx').lines.map(({ line }) => line)).toEqual([1, 3, 2])
})
