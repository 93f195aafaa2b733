// Sign-ins against a real authorization server on loopback, and against ones that misbehave.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Authority, type AuthorityOptions, useAuthorities } from '../../../test/support/mcp/test-authorization-server.ts'
import { useMcpEnvironments } from '../../../test/support/mcp/test-environments.ts'
import { httpServer, type McpTestEnvironment } from '../../../test/support/mcp/test-mcp.ts'
import { systemClock } from '../../clock/clock.ts'
import { definitionSha256 } from '../definition.ts'
import type { SignInRequest } from './sign-ins.ts'

const ground = useMcpEnvironments()
const authorities = useAuthorities()

/** A clock that a test can move ahead; timers run in real time. */
let ahead = 0
const clock = { ...systemClock, now: () => Date.now() + ahead }
afterEach(() => {
  ahead = 0
})

async function environment(options: AuthorityOptions = {}, url?: string): Promise<{ made: McpTestEnvironment; authority: Authority }> {
  const authority = await authorities({ now: () => clock.now(), ...options })
  const made = ground({ clock })
  const server = httpServer('club', url ?? authority.mcp_url)
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  await made.service.connectServer('club')
  return { made, authority }
}

async function begin(made: McpTestEnvironment, request: SignInRequest = {}) {
  const begun = await made.service.beginSignIn('club', request)
  if (!begun.ok) throw new Error(begun.failure.message)
  return begun.value
}

async function signIn({ made, authority }: { made: McpTestEnvironment; authority: Authority }, request: SignInRequest = {}) {
  const begun = await begin(made, request)
  const page = await fetch(await authority.approve(begun.authorization_url))
  const ended = await made.service.waitForSignIn(begun.sign_in_id, 60_000)
  if (!ended.ok) throw new Error(ended.failure.message)
  return { begun, page: [page.status, await page.text()] as const, state: ended.value }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

const listed = (made: McpTestEnvironment) => made.service.listServers()[0]
const reason = (made: McpTestEnvironment) => listed(made)?.status.failure_contract?.reason_code ?? null

async function connected(made: McpTestEnvironment): Promise<string> {
  const answer = await made.service.connectServer('club')
  if (!answer.ok) return answer.failure.reason_code
  const tools = made.service.listTools('club')
  if (tools.ok) for (const { tool } of tools.value.tools) made.service.approveTool(tool.tool, tool.fingerprint)
  return answer.value.state
}

const call = (made: McpTestEnvironment) =>
  made.run('mcp.club.who').then(
    () => 'answered',
    (error: { reason_code: string }) => error.reason_code,
  )

describe('a sign-in', () => {
  test('with a registered client: the server connects, and nothing secret leaves the store', async () => {
    const both = await environment()
    const { made, authority } = both
    expect([listed(made)?.status.state, reason(made)]).toEqual(['failed', 'needs_sign_in'])
    const { begun, page, state } = await signIn(both)
    const { host } = new URL(authority.issuer)
    expect([begun.hosts, begun.issuer, begun.scope, state]).toEqual([[host], authority.issuer, null, 'signed_in'])
    expect(new URL(begun.redirect_uri).hostname).toBe('127.0.0.1')
    expect(page).toEqual([200, expect.stringContaining('You can close this tab')])
    expect(await connected(made)).toBe('connected')
    expect(await call(made)).toBe('answered')
    expect(authority.registered).toEqual([
      {
        client_name: 'Tandem',
        application_type: 'native',
        redirect_uris: [begun.redirect_uri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ])
    expect(listed(made)?.sign_in).toMatchObject({ issuer: authority.issuer })
    const [grant] = authority.grants
    const seen = JSON.stringify([
      made.service.listServers(),
      made.service.readLog('club'),
      made.changes,
      made.outbox(),
      made.ports.records.list('mcp_servers'),
    ])
    for (const secret of [grant?.access_token, grant?.refresh_token]) expect(seen).not.toContain(secret)
    expect(authority.refusals).toEqual([])
  })

  test.each([
    ['RFC 8414, with the path inserted', { path: '/tenant' }],
    ['OpenID Connect, with the path inserted', { path: '/tenant', metadata_at: 'openid_inserted' }],
    ['OpenID Connect, after the path', { path: '/tenant', metadata_at: 'openid' }],
    ['OpenID Connect, without a path', { metadata_at: 'openid' }],
    ['a refusal that does not name the metadata', { names_metadata: false }],
    [
      'a metadata address that ends in a slash',
      {
        resource_metadata: (document) => ({ ...document, authorization_servers: [`${(document.authorization_servers as string[])[0]}/`] }),
      },
    ],
  ] satisfies [string, AuthorityOptions][])('finds the metadata: %s', async (_, options) => {
    const both = await environment(options)
    expect((await signIn(both)).state).toBe('signed_in')
    expect(await connected(both.made)).toBe('connected')
  })

  test.each([
    ['none', { token_endpoint_auth_methods_supported: undefined }],
    ['client_secret_post', { token_endpoint_auth_methods_supported: ['client_secret_post'] }],
    ['client_secret_basic', { token_endpoint_auth_methods_supported: ['client_secret_basic'] }],
  ])('registers a client that proves itself with %s', async (method, change) => {
    const both = await environment({ metadata: (document) => ({ ...document, ...change }) })
    expect((await signIn(both)).state).toBe('signed_in')
    expect(both.authority.registered).toMatchObject([{ token_endpoint_auth_method: method }])
    expect(await connected(both.made)).toBe('connected')
  })

  test.each([
    ['public', null],
    ['with a secret', 'a-secret & more'],
  ])('with a client that the user registered, %s: it is asked for, and remembered', async (_, client_secret) => {
    const known_client = { client_id: 'tandem-of-mine', client_secret }
    const both = await environment({ known_client, metadata: ({ registration_endpoint: _gone, ...document }) => document })
    expect(await both.made.service.beginSignIn('club', {})).toMatchObject({ ok: false, failure: { reason_code: 'client_id_needed' } })
    await signIn(both, { client_id: 'tandem-of-mine', ...(client_secret === null ? {} : { client_secret }) })
    expect(await connected(both.made)).toBe('connected')
    expect((await signIn(both)).state).toBe('signed_in')
    expect(both.authority.grants.map(({ client_id }) => client_id)).toEqual(['tandem-of-mine', 'tandem-of-mine'])
  })

  test('asks for the scopes that the server names, and for more when a call needs more', async () => {
    const both = await environment({
      resource_metadata: (document) => ({ ...document, scopes_supported: ['read'] }),
      metadata: (document) => ({ ...document, scopes_supported: ['read', 'write', 'offline_access'] }),
      required_scope: 'write',
    })
    const { made } = both
    expect((await signIn(both)).begun.scope).toBe('read offline_access')
    expect(await connected(made)).toBe('connected')
    expect(await call(made)).toBe('needs_sign_in')
    expect((await signIn(both)).begun.scope).toBe('read write offline_access')
    expect(await connected(made)).toBe('connected')
    expect(await call(made)).toBe('answered')
  })

  test('is refused for a program, for a server with its own Authorization header, and without approval', async () => {
    const { made, authority } = await environment()
    const keyed = httpServer('keyed', authority.mcp_url, { header_names: ['authorization'] })
    const strange = httpServer('strange', authority.mcp_url)
    await made.service.addServer(keyed, { definition_sha256: definitionSha256(keyed), network_hosts: [] })
    await made.service.addServer(strange, null)
    const reasonOf = async (server_id: string) => {
      const begun = await made.service.beginSignIn(server_id, {})
      return begun.ok ? 'begun' : begun.failure.reason_code
    }
    expect(await Promise.all(['keyed', 'strange', 'nobody'].map(reasonOf))).toEqual([
      'sign_in_not_offered',
      'consent_needed',
      'unknown_server',
    ])
  })

  test('of a server that cannot be reached, or describes none, is explained', async () => {
    const { made } = await environment({}, 'http://127.0.0.1:9/mcp')
    expect(await made.service.beginSignIn('club', {})).toMatchObject({
      ok: false,
      failure: { reason_code: 'sign_in_failed', message: expect.stringContaining('club cannot be reached') },
    })
    const nothing = await environment({
      metadata_at: 'openid_inserted',
      path: '/other',
      resource_metadata: (document) => ({
        ...document,
        authorization_servers: [new URL(String((document.authorization_servers as string[])[0])).origin],
      }),
    })
    expect(await nothing.made.service.beginSignIn('club', {})).toMatchObject({
      ok: false,
      failure: { reason_code: 'sign_in_not_offered', message: expect.stringContaining('does not describe how to sign in') },
    })
  })

  test('a second one ends the first; an unknown one is not found', async () => {
    const both = await environment()
    const first = await begin(both.made)
    expect((await signIn(both)).state).toBe('signed_in')
    expect(await both.made.service.waitForSignIn(first.sign_in_id, 0)).toMatchObject({
      ok: false,
      failure: { reason_code: 'unknown_sign_in' },
    })
    await expect(fetch(first.redirect_uri)).rejects.toThrow()
  })
})

describe('a canceled sign-in', () => {
  test('ends here too: the page that returns is told, its code is not used, and nothing is left', async () => {
    const both = await environment()
    const { made, authority } = both
    const begun = await begin(made)
    const back = await authority.approve(begun.authorization_url)
    const waiting = made.service.waitForSignIn(begun.sign_in_id, 60_000)
    expect(made.service.cancelSignIn(begun.sign_in_id)).toEqual({ ok: true, value: { server_id: 'club' } })
    expect(await waiting).toMatchObject({ ok: false, failure: { reason_code: 'canceled', message: 'the sign-in to club was canceled' } })
    const page = await fetch(back)
    expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('You canceled this sign-in in Tandem.')])
    await expect(fetch(back)).rejects.toThrow()
    for (const outcome of [made.service.cancelSignIn(begun.sign_in_id), await made.service.waitForSignIn(begun.sign_in_id, 0)])
      expect(outcome).toMatchObject({ ok: false, failure: { reason_code: 'unknown_sign_in' } })
    expect([authority.grants, authority.requests.includes('POST /token'), await connected(made)]).toEqual([[], false, 'needs_sign_in'])
    expect((await signIn(both)).state).toBe('signed_in')
  })

  test('keeps no tokens if the browser has returned already, and a port that was named is free again', async () => {
    const arrived = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const both = await environment({
      before(request, response) {
        const isHeld = request.url === '/revoke'
        if (isHeld) held.resolve()
        if (request.url === '/token') arrived.resolve()
        return isHeld && response.writeHead(200).end() !== null
      },
    })
    const { made, authority } = both
    const port = await freePort()
    const begun = await begin(made, { redirect_port: port })
    const back = await authority.approve(begun.authorization_url)
    await fetch(back)
    await arrived.promise
    made.service.cancelSignIn(begun.sign_in_id)
    await held.promise
    expect([authority.grants.length, listed(made)?.sign_in]).toEqual([1, null])
    const next = await begin(made, { redirect_port: port })
    made.service.cancelSignIn(next.sign_in_id)
    expect((await signIn(both, { redirect_port: port })).state).toBe('signed_in')
    expect(made.service.cancelSignIn('nothing')).toMatchObject({ ok: false, failure: { message: 'there is no such sign-in' } })
  })
})

test('a sign-in to a server with the old transport: it connects, calls, and refreshes its tokens in an open session', async () => {
  const both = await environment({ isOld: true, lifetime_s: 600 })
  const { made, authority } = both
  expect([listed(made)?.status.state, reason(made)]).toEqual(['failed', 'needs_sign_in'])
  expect((await signIn(both)).state).toBe('signed_in')
  expect([await connected(made), await call(made)]).toEqual(['connected', 'answered'])
  const { access_token } = { ...authority.grants[0] }
  ahead = 595_000
  expect(await call(made)).toBe('answered')
  expect(authority.grants[0]?.access_token).not.toBe(access_token)
  // Refused early, in the middle of a session.
  const [grant] = authority.grants
  if (grant) grant.expires_at = 0
  expect(await call(made)).toBe('answered')
  expect(authority.refusals).toEqual([])
  if (grant) grant.isRevoked = true
  expect(await call(made)).toBe('sign_in_expired')
  expect(listed(made)?.status).toMatchObject({ failure_contract: { reason_code: 'sign_in_expired' } })
})

describe('tokens', () => {
  test('are refreshed before they expire, once for all that need them; each refresh token is used once', async () => {
    const both = await environment({ lifetime_s: 600 })
    const { made, authority } = both
    await signIn(both)
    expect(await connected(made)).toBe('connected')
    const { refresh_token } = { ...authority.grants[0] }
    ahead = 595_000
    expect(await Promise.all(Array.from({ length: 8 }, () => call(made)))).toEqual(Array.from({ length: 8 }, () => 'answered'))
    expect(authority.requests.filter((request) => request.endsWith('/token'))).toHaveLength(2)
    expect(authority.grants[0]?.refresh_token).not.toBe(refresh_token)
    expect(authority.refusals).toEqual([])
  })

  test('that the server refuses early are replaced once, and the request is repeated', async () => {
    const both = await environment()
    const { made, authority } = both
    await signIn(both)
    expect(await connected(made)).toBe('connected')
    const [grant] = authority.grants
    if (grant) grant.expires_at = 0
    expect(await call(made)).toBe('answered')
    expect(authority.refusals).toEqual([])
  })

  test('that cannot be refreshed end the sign-in: the state says so, and nothing is tried again until the user signs in', async () => {
    const both = await environment()
    const { made, authority } = both
    await signIn(both)
    expect(await connected(made)).toBe('connected')
    const [grant] = authority.grants
    if (grant) grant.isRevoked = true
    expect(await call(made)).toBe('sign_in_expired')
    expect(listed(made)).toMatchObject({
      sign_in: null,
      status: {
        state: 'disconnected',
        next_reconnect_at: null,
        failure_contract: {
          reason_code: 'sign_in_expired',
          details: { message: 'the sign-in to club has expired', remedy: 'Sign in to the server again.' },
        },
      },
    })
    const asked = authority.requests.length
    expect(await connected(made)).toBe('sign_in_expired')
    expect(authority.requests).toHaveLength(asked)
    await signIn(both)
    expect(await connected(made)).toBe('connected')
    expect(await call(made)).toBe('answered')
  })

  test('survive an authorization server that is down while the token is valid', async () => {
    let isDown = false
    const both = await environment({
      lifetime_s: 600,
      before(_, response) {
        if (isDown) response.writeHead(503).end()
        return isDown
      },
    })
    const { made } = both
    await signIn(both)
    expect(await connected(made)).toBe('connected')
    isDown = true
    ahead = 590_000
    expect(await call(made)).toBe('answered')
    ahead = 700_000
    expect(await call(made)).toBe('sign_in_failed')
    isDown = false
    expect(await connected(made)).toBe('connected')
    expect(await call(made)).toBe('answered')
  })

  test('are revoked and deleted by signing out', async () => {
    const both = await environment()
    const { made, authority } = both
    await signIn(both)
    expect(await connected(made)).toBe('connected')
    expect(await made.service.signOut('club')).toMatchObject({ ok: true, value: { sign_in: null } })
    expect(authority.grants[0]?.isRevoked).toBe(true)
    expect(made.ports.secrets.get('club', 'oauth', 'credentials')).toBeUndefined()
    expect(await connected(made)).toBe('needs_sign_in')
  })

  test('are not sent to another address of the same server, and go with it', async () => {
    const both = await environment()
    const { made } = both
    await signIn(both)
    const elsewhere = await authorities()
    const moved = httpServer('club', elsewhere.mcp_url)
    await made.service.updateServer(moved, { definition_sha256: definitionSha256(moved), network_hosts: [] })
    expect(await connected(made)).toBe('needs_sign_in')
    expect(elsewhere.presented).toEqual([])
    await made.service.removeServer('club')
    expect(made.ports.secrets.get('club', 'oauth', 'credentials')).toBeUndefined()
  })
})

describe('the address on loopback', () => {
  test('ignores what has another state, path, method or host, and takes one response', async () => {
    const { made, authority } = await environment()
    const begun = await begin(made)
    const back = await authority.approve(begun.authorization_url)
    const wrong = new URL(back)
    wrong.searchParams.set('state', 'guessed')
    const bare = new URL(back)
    bare.searchParams.delete('state')
    const statuses = [
      await fetch(wrong),
      await fetch(bare),
      await fetch(back.replace('/callback', '/other')),
      await fetch(back, { method: 'POST' }),
      await fetch(back.replace('127.0.0.1', 'localhost')).catch(() => ({ status: 400 })),
    ].map(({ status }) => status)
    expect(statuses).toEqual([400, 400, 400, 400, 400])
    expect(await made.service.waitForSignIn(begun.sign_in_id, 0)).toEqual({ ok: true, value: 'waiting' })
    expect((await fetch(back)).status).toBe(200)
    expect(await made.service.waitForSignIn(begun.sign_in_id, 60_000)).toEqual({ ok: true, value: 'signed_in' })
    await expect(fetch(back)).rejects.toThrow()
    expect(authority.refusals).toEqual([])
  })

  test('reports a denial, and a response of another authorization server (mix-up)', async () => {
    const { made, authority } = await environment({
      metadata: (document) => ({ ...document, authorization_response_iss_parameter_supported: true }),
    })
    const outcome = async (change: (url: URL) => void) => {
      const begun = await begin(made)
      const back = new URL(await authority.approve(begun.authorization_url))
      change(back)
      await fetch(back)
      const ended = await made.service.waitForSignIn(begun.sign_in_id, 60_000)
      return ended.ok ? ended.value : ended.failure.message
    }
    const issuer = (value: string) => (url: URL) => url.searchParams.set('iss', value)
    expect([
      await outcome((url) => {
        url.searchParams.delete('code')
        issuer(authority.issuer)(url)
        url.searchParams.set('error', 'access_denied')
      }),
      await outcome(issuer('https://other.example')),
      await outcome(() => undefined),
      await outcome(issuer(authority.issuer)),
    ]).toEqual([
      'the sign-in to club failed: it was denied in the browser',
      'the sign-in to club failed: the response came from another authorization server',
      'the sign-in to club failed: the response came from another authorization server',
      'signed_in',
    ])
    expect(authority.requests.filter((request) => request.endsWith('/token'))).toHaveLength(1)
  })

  test('a code that was used before gives no tokens', async () => {
    const { made, authority } = await environment()
    const first = await begin(made)
    const code = new URL(await authority.approve(first.authorization_url)).searchParams.get('code') ?? ''
    await fetch(await authority.approve(first.authorization_url))
    const second = await begin(made)
    const back = new URL(await authority.approve(second.authorization_url))
    back.searchParams.set('code', code)
    await fetch(back)
    expect(await made.service.waitForSignIn(second.sign_in_id, 60_000)).toMatchObject({
      ok: false,
      failure: { message: 'the sign-in to club failed: the authorization server did not accept it (invalid_grant)' },
    })
  })
})

describe('what is refused before the user sees an address', () => {
  const big = 'x'.repeat(300_000)
  const fault = (message: string) => ({ ok: false, failure: { reason_code: 'sign_in_unsafe', message: expect.stringContaining(message) } })
  test.each<[string, AuthorityOptions, string]>([
    [
      'another issuer',
      { metadata: (document) => ({ ...document, issuer: 'https://other.example' }) },
      'belongs to another authorization server',
    ],
    ['no PKCE', { metadata: ({ code_challenge_methods_supported: _gone, ...document }) => document }, 'does not offer PKCE with S256'],
    [
      'only plain PKCE',
      { metadata: (document) => ({ ...document, code_challenge_methods_supported: ['plain'] }) },
      'does not offer PKCE with S256',
    ],
    ['huge metadata', { metadata: (document) => ({ ...document, big }) }, 'sent more than 262144 bytes'],
    ['huge metadata of the server', { resource_metadata: (document) => ({ ...document, big }) }, 'sent more than 262144 bytes'],
    [
      'a token endpoint without https',
      { metadata: (document) => ({ ...document, token_endpoint: 'http://example.org/token' }) },
      'does not use https',
    ],
    [
      'a page that is a script',
      { metadata: (document) => ({ ...document, authorization_endpoint: 'javascript:alert(1)' }) },
      'not a valid address',
    ],
    [
      'an address with a password',
      { metadata: (document) => ({ ...document, token_endpoint: 'https://a:b@example.org/' }) },
      'contains a user name or password',
    ],
    ['no token endpoint', { metadata: ({ token_endpoint: _gone, ...document }) => document }, 'has no token_endpoint'],
    [
      'metadata of another resource',
      { resource_metadata: (document) => ({ ...document, resource: 'https://bank.example/mcp' }) },
      'describes another server',
    ],
    [
      'a resource below the server',
      { resource_metadata: (document) => ({ ...document, resource: `${document.resource}/deeper` }) },
      'describes another server',
    ],
    [
      'no authorization server',
      { resource_metadata: (document) => ({ ...document, authorization_servers: [] }) },
      'names no authorization server',
    ],
    [
      'an authorization server in a private network',
      { resource_metadata: (document) => ({ ...document, authorization_servers: ['https://10.0.0.1'] }) },
      'is in a private network',
    ],
    [
      'a metadata service of a cloud',
      { resource_metadata: (document) => ({ ...document, authorization_servers: ['https://169.254.169.254'] }) },
      'is in a private network',
    ],
  ])('%s', async (_, options, message) => {
    const { made, authority } = await environment(options)
    expect(await made.service.beginSignIn('club', {})).toMatchObject(fault(message))
    expect(authority.requests.some((request) => request.startsWith('POST'))).toBe(false)
  })

  test('a redirect of the metadata to another origin', async () => {
    const trap = await authorities()
    const { made } = await environment({
      before(_, response) {
        response.writeHead(302, { location: `${trap.issuer}/.well-known/oauth-authorization-server` }).end()
        return true
      },
    })
    expect(await made.service.beginSignIn('club', {})).toMatchObject(fault('redirects to another address'))
    expect(trap.requests).toEqual([])
  })

  test('a redirect of the code to another origin, or of the same', async () => {
    const trap = await authorities()
    for (const location of [`${trap.issuer}/token`, '/elsewhere']) {
      const both = await environment({
        before(request, response) {
          const isToken = request.url === '/token'
          if (isToken) response.writeHead(307, { location }).end()
          return isToken
        },
      })
      await expect(signIn(both)).rejects.toThrow('redirects')
    }
    expect(trap.requests).toEqual([])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['another kind of token', { token_type: 'mac' }, 'does not contain a bearer token'],
    ['a token that would add a header', { access_token: 'a\r\nX-Evil: 1' }, 'has no valid access_token'],
    ['no token', { access_token: undefined }, 'has no valid access_token'],
    ['a huge token', { access_token: 'a'.repeat(20_000) }, 'has no valid access_token'],
  ])('a token response with %s', async (_, change, message) => {
    const both = await environment({ token: (document) => ({ ...document, ...change }) })
    await expect(signIn(both)).rejects.toThrow(message)
    expect(await connected(both.made)).toBe('needs_sign_in')
  })
})
