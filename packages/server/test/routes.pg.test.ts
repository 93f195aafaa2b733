// Every route on every platform, over real HTTP: success, unauthenticated, foreign ids, wrong types, wrong methods, too large.
import type { Route } from '@tandem/contract/http'
import { isContent } from '@tandem/contract/http'
import { type RouteId, routes } from '@tandem/contract/http/schema'
import { limits } from '@tandem/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordSocket } from '../../../e2e/socket-recorder.ts'
import { callRoute, refusalFor, refusalOf } from './support/contract-client.ts'
import { type Platform, platformNames, startPlatform } from './support/platforms.ts'
import { startTestUpstream, type TestUpstream } from './support/upstream.ts'
import { createUserWithData, type TestUserWithData } from './support/user-with-data.ts'
import { validRequest as good } from './support/valid-request.ts'

const served = (Object.values(routes) as Route[]).filter((route) => route.method !== 'WS') as (Route & { id: RouteId })[]
const signedIn = served.filter((route) => route.auth === 'user')
const passed = served.filter((route) => route.body && isContent(route.body) && route.body.content === 'passthrough')
const unknownId = '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c99'

describe.each(platformNames)('on %s', (name) => {
  let platform: Platform
  let upstream: TestUpstream
  let mara: TestUserWithData
  let otto: TestUserWithData

  beforeAll(async () => {
    upstream = await startTestUpstream()
    platform = await startPlatform(name, {
      ...{ OPENAI_API_KEY: 'sk-of-a-test', OPENAI_BASE_URL: `${upstream.url}/v1`, OLLAMA_HOST: 'off' },
      ...{ ANTHROPIC_API_KEY: 'sk-ant-of-a-test', ANTHROPIC_BASE_URL: upstream.url },
    })
    mara = await createUserWithData(platform.url)
    otto = await createUserWithData(platform.url)
  })
  afterAll(async () => {
    await platform[Symbol.asyncDispose]()
    await upstream.close()
  })

  test.each(signedIn.map((route) => [route.id]))('%s requires a token', async (id) => {
    const { token: _, ...request } = { token: '', ...good(id, mara) }
    const reply = await callRoute(platform.url, id, request)
    expect([refusalOf(id, reply), reply.headers.get('www-authenticate')]).toEqual([refusalFor(id, 'unauthorized'), 'Bearer'])
  })

  test.each(served.map((route) => [route.id]))('%s lists its methods', async (id) => {
    const route: Route = routes[id]
    const path = route.path.replaceAll(/:[a-z_]+|\*/g, unknownId)
    const response = await fetch(`${platform.url}${path}`, { method: 'PATCH' })
    const body = Object(await response.json())
    const code = route.dialect ? (body.error.code ?? body.error.type) : body.code
    expect([response.status, code]).toEqual(refusalFor(id, 'method_not_allowed'))
    if (!route.dialect) expect(body.allowed).toContain(route.method)
    expect(response.headers.get('allow')).toContain(route.method)
  })

  test.each(passed.map((route) => [route.id]))('%s refuses what is not a request to a model', async (id) => {
    const headers = { 'content-type': 'application/json' }
    for (const raw of ['[]', '"text"', '{"strange_field":1}', 'null', '{', '{"model":7}']) {
      const reply = await callRoute(platform.url, id, { raw, headers, token: mara.token })
      expect([raw, refusalOf(id, reply)]).toEqual([raw, refusalFor(id, 'invalid_request')])
    }
    const nobody = await callRoute(platform.url, id, { body: { model: 'nobody/knows' }, token: mara.token })
    expect(refusalOf(id, nobody)).toEqual(refusalFor(id, 'model_not_found'))
    const text = await callRoute(platform.url, id, { raw: 'a=b', headers: { 'content-type': 'text/plain' }, token: mara.token })
    expect(refusalOf(id, text)).toEqual(refusalFor(id, 'unsupported_media_type'))
    const wide = `{"x":"${'x'.repeat(routes.llm_messages.body_limit)}"}`
    const large = await callRoute(platform.url, id, { raw: wide, headers, token: mara.token })
    expect(refusalOf(id, large)).toEqual(refusalFor(id, 'payload_too_large'))
  })

  test.each(passed.map((route) => [route.id]))("%s succeeds, and appears in the caller's usage", async (id) => {
    const before = await mara.call('llm_usage')
    const reply = await mara.call(id, { ...good(id, mara), headers: { 'x-device-id': mara.device_id } })
    expect([reply.status, typeof reply.body]).toEqual([200, 'object'])
    const usage = await mara.call('llm_usage', { query: { device_id: mara.device_id } })
    expect(usage.body.totals.requests).toBe(before.body.totals.requests + 1)
    expect((await otto.call('llm_usage')).body.totals.requests).toBe(0)
  })

  test('/ws is a WebSocket that accepts only authenticated users', async () => {
    const plain = await fetch(`${platform.url}/ws`)
    expect([plain.status, Object(await plain.json()).code]).toEqual([426, 'upgrade_required'])
    const ear = await recordSocket(platform.url, mara.token)
    expect(ear.heard).toMatchObject([{ type: 'hello' }])
    await expect(recordSocket(platform.url, mara.refresh_token)).rejects.toThrow('no hello: 4401')
    const pushed = await mara.call('sync_push', good('sync_push', mara))
    await expect.poll(() => ear.heard.slice(1)).toMatchObject([{ type: 'sync.changed', cursor_ts: pushed.body.cursor_ts }])
    await otto.call('sync_push', good('sync_push', otto))
    ear.close()
    expect(ear.heard).toHaveLength(2)
  })

  test.each(served.filter((route) => route.body && !isContent(route.body)).map((route) => [route.id]))(
    '%s refuses an invalid body',
    async (id) => {
      const { body: _, ...request } = { body: undefined, ...good(id, mara), token: mara.token }
      const json = { 'content-type': 'application/json' }
      for (const raw of ['[]', '"text"', '{"strange_field":1}', 'null', '{']) {
        const reply = await callRoute(platform.url, id, { ...request, raw, headers: json })
        expect([raw, reply.status, reply.problem?.code]).toEqual([raw, 400, 'invalid_request'])
      }
      const strange = await callRoute(platform.url, id, { ...request, raw: '{"strange_field":1}', headers: json })
      expect(strange.problem?.errors?.map((error) => error.pointer)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^(\/strange_field)?$/)]),
      )
      const text = await callRoute(platform.url, id, { ...request, raw: 'a=b', headers: { 'content-type': 'text/plain' } })
      expect([text.status, text.problem?.code]).toEqual([415, 'unsupported_media_type'])
      const poison = await callRoute(platform.url, id, { ...request, raw: '{"__proto__":{"x":1}}', headers: json })
      expect(poison.status).toBe(400)
    },
  )

  test.each(served.filter((route) => route.body && !isContent(route.body)).map((route) => [route.id]))(
    '%s refuses a body that is too large',
    async (id) => {
      const route: Route = routes[id]
      const raw = `{"x":"${'x'.repeat(route.body_limit ?? limits.body_bytes)}"}`
      const reply = await callRoute(platform.url, id, {
        ...good(id, mara),
        body: undefined,
        raw,
        token: mara.token,
        headers: { 'content-type': 'application/json' },
      })
      expect([reply.status, reply.problem?.code]).toEqual([413, 'payload_too_large'])
    },
  )

  const questions = served.filter((route) => route.method === 'GET')
  const ofModels = (route: { path: string }) => route.path.startsWith('/api/v1/llm')

  test.each(questions.filter((route) => !ofModels(route)).map((route) => [route.id]))('%s refuses an unknown parameter', async (id) => {
    const reply = await callRoute(platform.url, id, { ...good(id, mara), token: mara.token, query: { strange: '1' } })
    expect(refusalOf(id, reply)).toEqual(refusalFor(id, 'invalid_request'))
    expect(reply.problem?.errors?.[0]?.pointer).toBe('/query/strange')
  })

  test.each(questions.filter(ofModels).map((route) => [route.id]))(
    '%s ignores an unknown parameter, as clients of models send them',
    async (id) => {
      const reply = await callRoute(platform.url, id, { ...good(id, mara), token: mara.token, query: { strange: '1' } })
      const plain = await callRoute(platform.url, id, { ...good(id, mara), token: mara.token })
      expect([reply.status, reply.body]).toEqual([200, plain.body])
    },
  )

  test.each(signedIn.filter((route) => route.path.includes(':id')).map((route) => [route.id]))(
    '%s returns 404 for a foreign or missing id',
    async (id) => {
      for (const request of [{ ...good(id, otto) }, { ...good(id, mara), params: { id: unknownId } }]) {
        const reply = await mara.call(id, request)
        expect([reply.status, reply.problem?.code]).toEqual([404, 'not_found'])
      }
    },
  )

  /** Their responses belong to no user: the list of models, and numbers. */
  const impersonal: RouteId[] = ['llm_models_list', 'llm_models_get', 'llm_v1_models_list', 'llm_v1_models_get', 'llm_usage']
  test.each(signedIn.filter((route) => route.method === 'GET').map((route) => [route.id]))(
    '%s returns data only to its owner',
    async (id) => {
      const own = await mara.call(id, good(id, mara))
      expect(own.status).toBe(200)
      if (id !== 'users_devices_get' && !impersonal.includes(id)) expect(JSON.stringify(own.body)).toContain(mara.secret)
      expect(JSON.stringify(own.body)).not.toContain(otto.secret)
    },
  )

  const changing: RouteId[] = [
    'users_profile_update',
    'users_keys_create',
    'users_devices_register',
    'device_heartbeat',
    'sync_push',
    'workflows_create',
    'workflows_update',
    'tasks_create',
    'tasks_update_status',
    'files_upload',
    'logs_report',
  ]
  test.each(changing.map((id) => [id]))('%s succeeds', async (id) => {
    const reply = await mara.call(id, good(id, mara))
    expect(Object.keys(routes[id].replies).map(Number)).toContain(reply.status)
    expect(reply.status).toBeLessThan(300)
  })

  test('login, refresh and logout', async () => {
    const session = await callRoute(platform.url, 'auth_login', { body: { email: mara.email, password: mara.password } })
    expect(session.status).toBe(200)
    const wrong = await callRoute(platform.url, 'auth_login', { body: { email: mara.email, password: 'not the password' } })
    expect([wrong.status, wrong.problem?.code]).toEqual([401, 'invalid_credentials'])
    const nobody = await callRoute(platform.url, 'auth_login', { body: { email: `nobody.${mara.email}`, password: 'not the password' } })
    expect([nobody.status, nobody.problem?.code, nobody.problem?.detail]).toEqual([401, 'invalid_credentials', wrong.problem?.detail])
    const taken = await callRoute(platform.url, 'auth_register', { body: { email: mara.email.toUpperCase(), password: mara.password } })
    expect([taken.status, taken.problem?.code]).toEqual([409, 'email_taken'])
    const refreshed = await callRoute(platform.url, 'auth_refresh', { body: { refresh_token: session.body.refresh_token } })
    expect(refreshed.status).toBe(200)
    const token: string = refreshed.body.access_token
    expect((await callRoute(platform.url, 'users_profile_get', { token })).status).toBe(200)
    expect((await callRoute(platform.url, 'auth_logout', { token, body: {} })).status).toBe(204)
    const after = await callRoute(platform.url, 'users_profile_get', { token })
    expect([after.status, after.problem?.code]).toEqual([401, 'session_ended'])
  })

  test('a refresh token is not an access token', async () => {
    const reply = await callRoute(platform.url, 'users_profile_get', { token: mara.refresh_token })
    expect([reply.status, reply.problem?.code]).toEqual([401, 'invalid_token'])
  })

  test('deleting deletes', async () => {
    const guest = await createUserWithData(platform.url)
    for (const id of ['files_delete', 'workflows_delete', 'users_devices_delete', 'users_keys_revoke'] as const) {
      expect((await guest.call(id, good(id, guest))).status).toBe(204)
      expect((await guest.call(id, good(id, guest))).status).toBe(404)
    }
    expect((await guest.call('files_get', good('files_get', guest))).status).toBe(404)
  })

  test('the service reports its health', async () => {
    const health = await callRoute(platform.url, 'health')
    expect(health.body).toMatchObject({
      status: 'ok',
      parts: [{ name: 'database', status: 'ok' }, { name: 'cache' }, { name: 'storage', status: 'ok' }],
    })
    expect((await callRoute(platform.url, 'health', { headers: { 'x-forwarded-for': '203.0.113.9' } })).body).toEqual({ status: 'ok' })
    expect((await callRoute(platform.url, 'ready')).body.status).toBe('ready')
    expect((await callRoute(platform.url, 'metrics')).body).toContain('tandem_request_duration_seconds_count')
    expect((await callRoute(platform.url, 'metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(403)
  })
})
