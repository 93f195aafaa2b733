import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runInChildProcess } from '../../../test/support/child-program.ts'
import { compileGlob } from './glob.ts'

test.each([
  ['**', '', true],
  ['**', 'a', true],
  ['**', 'a/.b/c', true],
  ['*', 'a', true],
  ['*', '.env', true],
  ['*', 'a/b', false],
  ['*', '', false],
  ['src/**', 'src', true],
  ['src/**', 'src/a/b.ts', true],
  ['src/**', 'srcs/a', false],
  ['src/**/x.ts', 'src/x.ts', true],
  ['src/**/x.ts', 'src/a/b/x.ts', true],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'a/b.tsx', false],
  ['./a//b', 'a/b', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[]a]', ']', true],
  ['[ab', '[ab', true],
  ['*.{ts,tsx}', 'a.tsx', true],
  ['{a,b/{c,d}}', 'b/d', true],
  ['{a}', '{a}', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['ä?', 'äö', true],
  ['?', '😀', true],
  ['a**b', 'axxb', true],
  ['A', 'a', false],
  ['', '', true],
])('%s on "%s": %s', (pattern, path, expected) => {
  expect(compileGlob(pattern)?.matches(path)).toBe(expected)
})

test.each([
  ['src/**', '', true],
  ['src/**', 'src/a', true],
  ['src/*.ts', 'src', true],
  ['src/*.ts', 'src/a', false],
  ['src/*.ts', 'lib', false],
  ['**/x', 'any/where', true],
])('%s leads below "%s": %s', (pattern, path, expected) => {
  expect(compileGlob(pattern)?.mayMatchBelow(path)).toBe(expected)
})

test('agrees with a plain recursive definition', () => {
  const segment = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 5 })
  const pattern = fc.array(fc.oneof(segment, fc.constant('**')), { maxLength: 4 })
  const path = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }), { maxLength: 5 })
  fc.assert(
    fc.property(pattern, path, (steps, names) => {
      expect(compileGlob(steps.join('/'))?.matches(names.join('/'))).toBe(naive(steps, names))
    }),
    { numRuns: 3_000 },
  )
})

test('hostile patterns terminate, and the expansion of braces is limited', async () => {
  const program = `
    import { compileGlob } from {{glob}}
    const stars = compileGlob('*a'.repeat(200) + 'b').matches('a'.repeat(5_000))
    const folders = compileGlob('**/a/'.repeat(100) + 'b').matches(Array(2_000).fill('a').join('/'))
    console.log(JSON.stringify([stars, folders, compileGlob('{a,b}'.repeat(20))]))
  `
  expect(await runInChildProcess(program, { glob: new URL('./glob.ts', import.meta.url) })).toEqual([false, false, null])
})

function naive(steps: readonly string[], names: readonly string[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return names.length === 0
  if (step === '**') return naive(rest, names) || (names.length > 0 && naive(steps, names.slice(1)))
  const [name, ...others] = names
  return name !== undefined && letters(step, name) && naive(rest, others)
}

function letters(step: string, name: string): boolean {
  if (step === '') return name === ''
  if (step[0] === '*') return letters(step.slice(1), name) || (name !== '' && letters(step, name.slice(1)))
  return name !== '' && (step[0] === '?' || step[0] === name[0]) && letters(step.slice(1), name.slice(1))
}
