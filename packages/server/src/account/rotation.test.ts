import { limits } from '@tandem/contract/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rotate, type SessionState } from './rotation.ts'

const now = Date.UTC(2026, 8, 21)
const grace = limits.refresh_grace_seconds * 1000
const lifetime = limits.refresh_token_seconds * 1000
const session: SessionState = { counter: 7, replaced: [now - 60_000, now - 3_000], last_used: now - 3_000, ended_at: null }

const table: [string, Partial<SessionState>, number, ReturnType<typeof rotate>][] = [
  ['the newest', {}, 7, { verdict: 'rotate', counter: 8, replaced: [now - 3_000, now] }],
  ['the newest, after a pause', { replaced: [now - grace - 1] }, 7, { verdict: 'rotate', counter: 8, replaced: [now] }],
  ['the previous one, its successor never used', {}, 6, { verdict: 'repeat' }],
  ['the previous one, however late', { replaced: [now - lifetime + 1], last_used: now - lifetime + 1 }, 6, { verdict: 'repeat' }],
  ['two before, replaced just now', { replaced: [now - grace, now - 1] }, 5, { verdict: 'repeat' }],
  ['two before, replaced long ago', {}, 5, { verdict: 'reused' }],
  ['one that is no longer recorded', {}, 1, { verdict: 'reused' }],
  ['one newer than a restored backup', {}, 12, { verdict: 'rotate', counter: 13, replaced: [now] }],
  ['any of an ended session', { ended_at: now - 1 }, 7, { verdict: 'refused', code: 'session_ended' }],
  ['an old one of an ended session', { ended_at: now - 1 }, 1, { verdict: 'refused', code: 'session_ended' }],
  ['one of a session that was not used', { last_used: now - lifetime }, 7, { verdict: 'refused', code: 'token_expired' }],
]

test.each(table)('%s', (_name, change, used, expected) => {
  expect(rotate({ ...session, ...change }, used, now)).toEqual(expected)
})

/** The rule as a model: every token with the time it was first used. */
interface Oracle {
  firstUse: Map<number, number>
  newest: number
}

test('over any history, a token is accepted while it is the newest, has no used successor, or is within the grace period', () => {
  const step = fc.record({ wait: fc.nat({ max: 8_000 }), back: fc.nat({ max: 4 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const oracle: Oracle = { firstUse: new Map(), newest: 1 }
      let state: SessionState = { counter: 1, replaced: [], last_used: now, ended_at: null }
      let time = now
      for (const { wait, back } of steps) {
        time += wait
        const used = Math.max(1, oracle.newest - back)
        const seen = oracle.firstUse.get(used)
        const succeeded = oracle.firstUse.has(used + 1)
        const taken = seen === undefined || !succeeded || time - seen <= grace
        const verdict = rotate(state, used, time)
        expect(verdict.verdict).toBe(seen === undefined ? 'rotate' : taken ? 'repeat' : 'reused')
        if (verdict.verdict === 'rotate') {
          oracle.firstUse.set(used, time)
          oracle.newest = verdict.counter
          state = { ...state, counter: verdict.counter, replaced: verdict.replaced, last_used: time }
        }
      }
    }),
  )
})
