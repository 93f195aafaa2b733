import { expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openSessions } from './session.ts'

test('a code is valid for one use and five minutes', () => {
  const clock = testClock()
  const sessions = openSessions(clock)
  const [used, old] = [sessions.newCode(), sessions.newCode()]
  const cookie = sessions.redeem(used)
  expect([cookie === null, sessions.redeem(used)]).toEqual([false, null])
  clock.advance(5 * 60_000 + 1)
  expect(sessions.redeem(old)).toBeNull()
  expect([sessions.isWindow(cookie ?? ''), sessions.isWindow(used), sessions.isWindow('')]).toEqual([true, false, false])
})

test('a code, a cookie and a token are not interchangeable', () => {
  const sessions = openSessions(testClock())
  const cookie = sessions.redeem(sessions.newCode()) ?? ''
  expect([
    sessions.isProgram(sessions.token),
    sessions.isProgram(cookie),
    sessions.isWindow(sessions.token),
    sessions.isProgram(''),
  ]).toEqual([true, false, false, false])
  expect(sessions.redeem(sessions.token)).toBeNull()
})

test('unused codes do not accumulate: the oldest are dropped', () => {
  const sessions = openSessions(testClock())
  const codes = Array.from({ length: 17 }, () => sessions.newCode())
  expect(codes.map((code) => sessions.redeem(code) !== null)).toEqual([false, ...Array(16).fill(true)])
})
