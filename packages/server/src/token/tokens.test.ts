import { generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { newId } from '../http/id.ts'
import { type Caller, openTokenCache, openTokens } from './tokens.ts'

const now = Date.parse('2026-09-21T12:00:00.000Z')
const caller: Caller = { user_id: newId(now), session_id: newId(now), email: null, expires_at: now / 1_000 + 30 }

test('a token is cached until it expires, for a minute at most, and not before it was verified', () => {
  const long = { ...caller, expires_at: now / 1_000 + 3_600 }
  const tokens = openTokenCache()
  tokens.keep('short', caller, now)
  tokens.keep('long', long, now)
  expect([
    tokens.find('short', now),
    tokens.find('short', now + 29_999),
    tokens.find('long', now + 59_999),
    tokens.find('other', now),
  ]).toEqual([caller, caller, long, undefined])
  expect([tokens.find('short', now + 30_000), tokens.find('long', now + 60_000)]).toEqual([undefined, undefined])
  tokens.keep('long', long, now)
  expect(tokens.find('long', now - 1)).toBeUndefined()
})

test('if there are too many, the oldest is evicted', () => {
  const tokens = openTokenCache(2)
  for (const token of ['a', 'b', 'c']) tokens.keep(token, caller, now)
  expect(['a', 'b', 'c'].map((token) => tokens.find(token, now) !== undefined)).toEqual([false, true, true])
})

test('a verified token makes no other valid: not an expired one, one with another end, or one of another key', async () => {
  const secret = 'a-secret-of-tests-that-is-long-enough-for-hs256'
  const tokens = openTokens({ kind: 'secret', secret }, undefined)
  const claims = { user_id: caller.user_id, session_id: caller.session_id, email: 'mara@example.org' }
  const token = await tokens.sign(claims, now)
  const expires_at = now / 1_000 + 15 * 60
  const good = { ok: true, caller: { ...claims, expires_at } }
  expect([await tokens.check(token, now), await tokens.check(token, now + 1)]).toEqual([good, good])

  const [head = '', payload = '', signature = ''] = token.split('.')
  const changed = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  const { privateKey } = await generateKeyPair('ES256')
  const foreign = await new SignJWT({ session_id: claims.session_id, role: 'authenticated' })
    .setProtectedHeader({ alg: 'ES256' })
    .setSubject(claims.user_id)
    .setAudience('authenticated')
    .setExpirationTime(expires_at)
    .sign(privateKey)
  const refused = { ok: false, code: 'invalid_token' }
  expect([await tokens.check(`${head}.${payload}.${changed}`, now), await tokens.check(foreign, now)]).toEqual([refused, refused])
  expect(await tokens.check(token, (expires_at + 6) * 1_000)).toEqual({ ok: false, code: 'token_expired' })
})
