// Every way in which a token can be invalid, on a route that requires one.
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTokens } from '../src/token/tokens.ts'
import { type TestApp, type TestUser, testApp } from './support/test-app.ts'

const secret = 'a-secret-of-tests-that-is-long-enough'
const now = () => Math.floor(Date.now() / 1000)
const base64 = (value: object | string) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

describe('an access token', () => {
  let backend: TestApp
  let user: TestUser
  let claims: Record<string, unknown>
  beforeAll(async () => {
    backend = await testApp()
    user = await backend.user()
    claims = JSON.parse(Buffer.from(user.token.split('.')[1] ?? '', 'base64url').toString())
  })
  afterAll(() => backend.close())

  const ask = async (authorization: string | undefined) => {
    const headers = authorization === undefined ? {} : { authorization }
    const reply = await backend.app.inject({ url: '/api/v1/users/profile', headers, remoteAddress: backend.address() })
    return [reply.statusCode, reply.json().code]
  }
  /** A token with any header and claims, signed with HS256 and `key`. */
  const forge = (header: object, payload: object, key: string | Buffer = secret) => {
    const signed = `${base64(header)}.${base64(payload)}`
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  }
  const hs256 = { alg: 'HS256', typ: 'JWT' }

  test('of ours is accepted, and has the claims of Supabase Auth', async () => {
    expect(await ask(`Bearer ${user.token}`)).toEqual([200, undefined])
    expect(claims).toMatchObject({
      sub: user.user_id,
      aud: 'authenticated',
      role: 'authenticated',
      session_id: user.session_id,
      exp: expect.any(Number),
    })
    expect(await ask(`Bearer ${forge(hs256, claims)}`)).toEqual([200, undefined])
  })

  const publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
  test.each<[string, () => string | undefined, string]>([
    ['is missing', () => undefined, 'unauthorized'],
    ['comes as Basic', () => `Basic ${base64('a:b')}`, 'invalid_token'],
    ['is empty', () => 'Bearer ', 'invalid_token'],
    ['is garbage', () => 'Bearer abc.def.ghi', 'invalid_token'],
    ['is not signed', () => `Bearer ${base64({ alg: 'none' })}.${base64(claims)}.`, 'invalid_token'],
    ['is not signed, in capitals', () => `Bearer ${base64({ alg: 'NONE' })}.${base64(claims)}.`, 'invalid_token'],
    ['is signed with another secret', () => `Bearer ${forge(hs256, claims, 'another-secret-that-is-long-enough-too')}`, 'invalid_token'],
    ['is signed with a public key as secret', () => `Bearer ${forge(hs256, claims, publicKey)}`, 'invalid_token'],
    ['names another algorithm', () => `Bearer ${forge({ alg: 'HS512' }, claims)}`, 'invalid_token'],
    [
      'contains its own key',
      () => `Bearer ${forge({ ...hs256, jwk: { kty: 'oct', k: base64('mine') } }, claims, 'mine')}`,
      'invalid_token',
    ],
    [
      'points to a key elsewhere',
      () => `Bearer ${forge({ ...hs256, jku: 'http://127.0.0.1:1/keys', kid: '../../etc/passwd' }, claims, 'x')}`,
      'invalid_token',
    ],
    ['has expired', () => `Bearer ${forge(hs256, { ...claims, exp: now() - 60 })}`, 'token_expired'],
    ['never expires', () => `Bearer ${forge(hs256, { ...claims, exp: undefined })}`, 'invalid_token'],
    ['is not valid yet', () => `Bearer ${forge(hs256, { ...claims, nbf: now() + 600 })}`, 'invalid_token'],
    ['is for another audience', () => `Bearer ${forge(hs256, { ...claims, aud: 'anon' })}`, 'invalid_token'],
    ['has another role', () => `Bearer ${forge(hs256, { ...claims, role: 'service_role' })}`, 'invalid_token'],
    ['has no session', () => `Bearer ${forge(hs256, { ...claims, session_id: undefined })}`, 'invalid_token'],
    ['has no user', () => `Bearer ${forge(hs256, { ...claims, sub: "' or 1=1" })}`, 'invalid_token'],
    ['is a refresh token', () => `Bearer ${user.refresh_token}`, 'invalid_token'],
    ['was changed in the middle', () => `Bearer ${user.token.replace(/\.(.)/, (_, c) => `.${c === 'e' ? 'f' : 'e'}`)}`, 'invalid_token'],
  ])('that %s is refused', async (_how, header, code) => {
    expect(await ask(header())).toEqual([401, code])
  })

  test('is never read from the URL', async () => {
    const reply = await backend.app.inject({ url: `/api/v1/users/profile?access_token=${user.token}`, remoteAddress: backend.address() })
    expect(reply.statusCode).toBe(401)
  })
})

test('with a key set, only its asymmetric algorithms are accepted', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const tokens = openTokens({ kind: 'jwks', url: `http://127.0.0.1:${address.port}/jwks` }, undefined)
  const claims = {
    role: 'authenticated',
    session_id: 's',
    sub: '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c21',
    aud: 'authenticated',
    exp: now() + 60,
  }
  const signed = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey)
  expect(await tokens.check(signed, Date.now())).toMatchObject({ ok: true, caller: { user_id: claims.sub, session_id: 's' } })

  const confused = `${base64({ alg: 'HS256', kid: 'one' })}.${base64(claims)}`
  const mac = createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
    .update(confused)
    .digest('base64url')
  expect(await tokens.check(`${confused}.${mac}`, Date.now())).toEqual({ ok: false, code: 'invalid_token' })
  server.close()

  const unreachable = openTokens({ kind: 'jwks', url: 'http://127.0.0.1:9/jwks' }, undefined)
  expect(await unreachable.check(signed, Date.now())).toEqual({ ok: false, code: 'accounts_unavailable' })
})
