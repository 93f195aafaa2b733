import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestCall, testRunFacts } from '../../../test/support/learning/test-run-facts.ts'
import { failuresIn } from './failures.ts'
import { noTrail } from './trail.ts'

const failed = (command: string, output = 'odd'): TestCall => ({ command, exit_code: 2, output })
const trailsOf = (calls: readonly TestCall[]) => failuresIn(testRunFacts('run', calls)).map(({ trail }) => trail)
const completed = { ...noTrail, completed: true }

test('a failure, and what was done about the same thing', () => {
  const calls = [
    { command: 'git log -3' },
    failed('./load rates.json', "odd: 'tax'"),
    { command: 'ls' },
    { command: 'cp ../good/rates.json .' },
  ]
  expect(trailsOf(calls)).toEqual([
    { ...completed, specifics: new Set(['rates.json', 'tax']), last_success: 4, next_success: 3, actions: [4] },
  ])
})

test('a thing that was used before with success is not what it is about', () => {
  expect(trailsOf([{ command: 'wc -l rates.json' }, failed('./load rates.json')])[0]?.specifics).toEqual(new Set())
})

test.each([
  ['another question to the same program', [failed('git show v9:a.md'), { command: 'git show HEAD:a.md' }], 2],
  ['the second call after it', [failed('git show v9:a.md'), { command: 'ls' }, { command: 'git show HEAD:a.md' }], 3],
  ['a later one', [failed('git show v9:a.md'), { command: 'ls' }, { command: 'ls' }, { command: 'git show HEAD:a.md' }], null],
  ['another program', [failed('git show v9:a.md'), { command: 'cat a.md' }], null],
  ['another thing', [failed('curl http://a.test/x'), { command: 'curl http://b.test/y' }], null],
  ['it failed as well', [failed('git show v9:a.md'), failed('git show v8:a.md')], null],
] as const)('avoided by %s', (_, calls, avoided) => {
  expect(trailsOf(calls)[0]?.avoided).toBe(avoided)
})

test('for any run, what is said to come later does', () => {
  const command = fc.constantFrom('make', 'cat a.md', 'git show v9:a.md', './load rates.json', 'cp rates.json b', 'npm test')
  const call = fc.record({ command, exit_code: fc.constantFrom(0, 0, 2), output: fc.constantFrom('odd', 'odd: rates.json', "no 'a.md'") })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
      for (const { seq, trail } of failuresIn(testRunFacts('run', calls))) {
        const later = [trail.last_success, trail.avoided, trail.next_success].filter((one) => one !== null)
        expect(later.every((one) => one > seq)).toBe(true)
        expect(trail.actions.every((one) => calls[one - 1]?.exit_code === 0)).toBe(true)
      }
    }),
  )
})
