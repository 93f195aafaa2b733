import { expect, test } from 'vitest'
import { rememberChecked } from './checked-tokens.ts'
import { openTokens } from './tokens.ts'

const caller = { user_id: 'u', session_id: 's', email: null, expires_at: 1_000 }

test('a token is known until it expires, and to the letter', () => {
  const tokens = rememberChecked()
  tokens.add('token', caller)
  expect(tokens.callerOf('token', 999_999)).toBe(caller)
  expect(tokens.callerOf('token', 1_000_000)).toBe(undefined)
  expect(tokens.callerOf('Token', 0)).toBe(undefined)
})

test('only so many are kept: the oldest goes first', () => {
  const tokens = rememberChecked(2)
  for (const token of ['a', 'b', 'c']) tokens.add(token, caller)
  expect(['a', 'b', 'c'].map((token) => tokens.callerOf(token, 0) === caller)).toEqual([false, true, true])
})

test('a token that was good is refused like any other once it has expired, and with one letter changed', async () => {
  const tokens = openTokens({ kind: 'secret', secret: 'x'.repeat(40) }, undefined)
  const ids = { user_id: '00000000-0000-4000-8000-000000000001', session_id: 's', email: 'a@example.org' }
  const token = await tokens.sign(ids, 0)
  const good = { ok: true, caller: { ...ids, expires_at: expect.any(Number) } }
  expect([await tokens.check(token, 0), await tokens.check(token, 1_000)]).toEqual([good, good])
  expect(await tokens.check(token, 365 * 86_400_000)).toEqual({ ok: false, code: 'token_expired' })
  const [head, body, signature = ''] = token.split('.')
  const forged = `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  expect(await tokens.check(forged, 1_000)).toEqual({ ok: false, code: 'invalid_token' })
})
