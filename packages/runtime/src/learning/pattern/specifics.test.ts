import fc from 'fast-check'
import { expect, test } from 'vitest'
import { specificsIn, specificsOfWords } from './specifics.ts'

test.each([
  ["Error: Cannot find module 'left-pad'", ['left-pad']],
  ['fatal: unable to access http://registry.test:4873/pkg/a.tgz', ['registry.test', '4873', 'a.tgz']],
  ['libgeo.so.2: cannot open shared object file', ['libgeo.so.2']],
  ['src/app/main.c:12:4: unknown type', ['main.c']],
  ['Port 3000 is already in use', ['3000']],
  ['connect to 127.0.0.1 refused', []],
  ['it took 1500ms, 12 s, 3.5s at 10:32:07', []],
  ['something went wrong', []],
])('%s names %j', (text, names) => {
  expect([...specificsIn(text)]).toEqual(names)
})

test('lines of a stack and of a log name nothing', () => {
  const text = "TypeError: bad\n    at run (/a/loader.js:1210:15)\nNode.js v26.1.0\nA log: /home/a/2026_11-debug-0.log\nopen 'rates.json'"
  expect(specificsIn(text)).toEqual(new Set(['rates.json']))
})

test('the words of a command are names, its options are not', () => {
  expect(specificsOfWords(['install', '-q', '--registry=http://r.test:4873', '../libs/zod'])).toEqual(
    new Set(['install', 'registry', 'r.test', '4873', 'libs', 'zod']),
  )
})

test('however long and strange a text is, it names at most 203 things of at most 120 characters', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 5_000 }), fc.nat(20), (text, times) => {
      const found = specificsIn(text.repeat(times))
      expect(found.size).toBeLessThanOrEqual(203)
      expect([...found].every((name) => name.length >= 3 && name.length <= 130)).toBe(true)
    }),
  )
})
