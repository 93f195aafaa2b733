import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCovered } from './covered.ts'

test.each<[string, unknown, boolean, boolean]>([
  ['constant arguments', { path: 'a.txt', lines: [1, 'b'] }, true, true],
  ['inputs', { path: '{{inputs.name}}.txt' }, true, false],
  ['inputs deep inside', { a: [{ b: 'x {{inputs.name.first}}' }] }, true, false],
  ['outputs', { path: '{{nodes.a.output}}' }, false, false],
  ['errors', { path: '{{nodes.a.error}}' }, false, false],
  ['items', { path: '{{loops.a.item}}' }, false, false],
  ['inputs next to outputs', { path: '{{inputs.name}} {{nodes.a.output}}' }, false, false],
  ['what only looks like a placeholder', { path: '{{process.env}}' }, false, false],
])('%s', (_name, args, ofPerson, ofOthers) => {
  const text = JSON.stringify(args)
  expect([isCovered(text, true), isCovered(text, false)]).toEqual([ofPerson, ofOthers])
})

test('nothing that holds an output anywhere is covered', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string(), (before, key) => {
      const args = JSON.stringify([before, { [key]: ['{{nodes.a.output}}'] }])
      expect(isCovered(args, true)).toBe(false)
    }),
  )
})
