import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newSeed, openRefreshTokens, readRefreshToken } from './refresh-token.ts'

const tokens = openRefreshTokens('a-secret-of-the-tests-that-is-long-enough')
const session = { user_id: '01996f2e-1111-7000-8000-000000000001', session_id: '01996f2e-2222-7000-8000-000000000002', seed: newSeed() }

test('a token can be parsed into what it was created from', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 0xffffffff }), (counter) => {
      const claim = readRefreshToken(tokens.make(session, counter))
      expect(claim).toMatchObject({ user_id: session.user_id, session_id: session.session_id, counter })
      expect(claim && tokens.sealed(claim, session.seed)).toBe(true)
    }),
  )
})

test('each counter has its own token, always the same', () => {
  expect(tokens.make(session, 3)).toBe(tokens.make(session, 3))
  expect(tokens.make(session, 3)).not.toBe(tokens.make(session, 4))
})

test('a token is valid only for its user, session, counter, seed and secret', () => {
  const claim = readRefreshToken(tokens.make(session, 3)) ?? expect.fail()
  const others = [
    { ...claim, user_id: '01996f2e-1111-7000-8000-000000000009' },
    { ...claim, session_id: '01996f2e-2222-7000-8000-000000000009' },
    { ...claim, counter: 4 },
  ]
  expect(others.map((other) => tokens.sealed(other, session.seed))).toEqual([false, false, false])
  expect(tokens.sealed(claim, newSeed())).toBe(false)
  expect(openRefreshTokens('another secret of the tests, long enough').sealed(claim, session.seed)).toBe(false)
})

test('any other text is not a token', () => {
  fc.assert(fc.property(fc.string(), (text) => readRefreshToken(text) === undefined))
  const made = tokens.make(session, 1)
  for (const text of [made.slice(0, -2), `${made}AA`, made.replace('.', ''), made.toUpperCase(), ` ${made}`, `${made}\n`]) {
    expect(readRefreshToken(text)).toBeUndefined()
  }
})
