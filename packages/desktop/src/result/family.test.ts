import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownOf } from './family.ts'

test.each([
  [{ path: 'a', diff: '+x', diff_truncated: false, lines_added: 1, lines_removed: 0 }, 'diff'],
  [{ exit_code: 0, output: 'ok', duration_ms: 3 }, 'terminal'],
  [{ path: '.', entries: [{ path: 'a', type: 'file', size: 1 }], more: 0 }, 'files'],
  [{ path: '.', lines: [{ path: 'a', line: 1, text: 'x' }], files: [], matches: 1, truncated: false, notes: [] }, 'matches'],
  [{ media_type: 'image/png', data: 'AAAA' }, 'image'],
  [{ kind: 'image', path: 'p.png', media_type: 'image/png', size: 9, dimensions: { width: 1, height: 2 } }, 'picture_file'],
  [{ kind: 'text', path: 'a', content: 'x', notes: [] }, 'text'],
  ['plain', 'text'],
  [{ anything: [1] }, 'json'],
  [null, 'json'],
])('%j is shown as %s', (output, as) => {
  expect(shownOf(output).as).toBe(as)
})

test('a drawing that could carry a script is never drawn', () => {
  expect(shownOf({ media_type: 'image/svg+xml', data: 'PHN2Zz4=' })).toEqual({
    as: 'json',
    value: { media_type: 'image/svg+xml', data: 'PHN2Zz4=' },
  })
  expect(shownOf({ media_type: 'image/png', data: '"><script>' }).as).toBe('json')
})

test('whatever a tool answers is shown as something', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (output) => {
      expect(shownOf(output).as).toMatch(/./)
    }),
  )
})
