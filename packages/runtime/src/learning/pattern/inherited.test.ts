import { expect, test } from 'vitest'
import { type TestCall, testRunFacts } from '../../../test/support/learning/test-run-facts.ts'
import { failuresIn } from './failures.ts'
import { inheritanceRules } from './inherited.ts'

const failed = (command: string, output: string): TestCall => ({ command, exit_code: 1, output })
const conditionsOf = (calls: readonly TestCall[]) => failuresIn(testRunFacts('run', calls)).map(({ condition }) => condition)

/** For each rule: a history in which the first failure takes the condition of the second, and one in which it does not. */
const histories: Readonly<Record<string, readonly [readonly TestCall[], readonly TestCall[]]>> = {
  conflict_markers: [
    [failed('./load', 'SyntaxError: bad line in rates.json'), failed('git stash', 'rates.json: needs merge')],
    [failed('./load', 'SyntaxError: bad line in rates.json'), failed('git stash', 'other.json: needs merge')],
  ],
  unknown_text: [
    [failed('./fetch a', 'No plugin found at r.test:4873'), failed('npm ci', 'connect ECONNREFUSED r.test:4873')],
    [failed('./fetch a', 'No plugin found at r.test:4873'), failed('npm ci', 'connect ECONNREFUSED other.test:4111')],
  ],
}

test.each(inheritanceRules)('$name', ({ name }) => {
  const [same, other] = histories[name] ?? []
  const [first, second] = conditionsOf(same ?? [])
  expect(second).not.toBe(null)
  expect(first).toBe(second)
  expect(conditionsOf(other ?? [])[0]).not.toBe(conditionsOf(other ?? [])[1])
})

test('a consequence is no reason, and a question has none', () => {
  expect(conditionsOf([failed('./build', 'odd: out.bin'), failed('cat out.bin', 'cat: out.bin: No such file or directory')])).toEqual([
    null,
    'missing_file',
  ])
  expect(conditionsOf([failed('git stash show -p', 'odd: out.bin'), failed('./load out.bin', 'permission denied: out.bin')])).toEqual([
    null,
    'permission_denied',
  ])
})
