import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reachedLimit } from './reached-limit.ts'

test.each([
  ['a limit in the text', 1_040, 'python3 ask.py', ['No answer in time: 1 s'], true],
  ['the same in milliseconds', 940, 'node --test', ['stopped after 900ms'], true],
  ['the same in German', 2_100, 'python3 ask.py', ['nach 2 Sekunden aufgegeben'], true],
  ['a limit in the command', 1_020, 'ctest --timeout 1', [], true],
  ['a limit in the arguments', 2_050, '{"command":"x","time_limit_seconds":2}', ['x'], true],
  ['it ended before the limit', 300, 'ctest --timeout 1', [], false],
  ['it ended long after it', 30_000, 'ctest --timeout 1', [], false],
  ['a measured time', 1_100, 'mvn package', ['Total time:  1.034 s'], false],
  ['a number without a unit', 1_100, 'node a.js', ['1 problem'], false],
  ['nothing', 1_100, 'node a.js', [], false],
])('%s', (_, duration, command, lines, reached) => {
  expect(reachedLimit(duration, command, lines)).toBe(reached)
})

test('a call that ended before its limit did not reach it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 0, max: 999 }), (seconds, part) => {
      expect(reachedLimit(seconds * part, `wait --timeout ${seconds}s`, [])).toBe(false)
      expect(reachedLimit(seconds * 1_000 + part, `wait --timeout ${seconds}s`, [])).toBe(true)
    }),
  )
})
