// Every route on every platform, over real HTTP: the good answer, strangers, foreign ids, wrong types, wrong methods, too much.
import type { Route } from '@tandem/contract/http'
import { isContent } from '@tandem/contract/http'
import { type RouteId, routes } from '@tandem/contract/http/schema'
import { limits } from '@tandem/contract/limits'
import type { Problem } from '@tandem/contract/problem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Platform, platformNames, startPlatform } from './platforms.ts'
import { change, moveIn, type Resident, upload } from './resident.ts'
import { type Visit, visit } from './visitor.ts'

const served = (Object.values(routes) as Route[]).filter((route) => route.tag !== 'llm' && route.method !== 'WS') as (Route & {
  id: RouteId
})[]
const signedIn = served.filter((route) => route.auth === 'user')
const unknownId = '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c99'

describe.each(platformNames)('on %s', (name) => {
  let platform: Platform
  let mara: Resident
  let otto: Resident

  beforeAll(async () => {
    platform = await startPlatform(name)
    mara = await moveIn(platform.url)
    otto = await moveIn(platform.url)
  }, 60_000)
  afterAll(async () => platform[Symbol.asyncDispose]())

  /** A request of `owner`'s that the route answers well. */
  function good(id: RouteId, owner: Resident): Visit {
    const example = routes[id].examples as { body?: unknown }
    const visits: Partial<Record<RouteId, Visit>> = {
      users_devices_register: { body: { device_id: owner.device_id, name: owner.secret, platform: 'linux', app_version: '0.1.0' } },
      device_heartbeat: { body: { ...routes.device_heartbeat.examples.body, device_id: owner.device_id } },
      users_devices_get: { params: { id: owner.device_id } },
      users_devices_delete: { params: { id: owner.device_id } },
      users_profile_update: { body: { ...routes.users_profile_update.examples.body, display_name: owner.secret } },
      sync_push: { body: { device_id: owner.device_id, changes: [change('agents', owner.handle, { name: owner.secret })] } },
      workflows_get: { params: { id: owner.workflow_id } },
      workflows_update: { params: { id: owner.workflow_id }, body: { ...routes.workflows_create.examples.body, name: owner.secret } },
      workflows_delete: { params: { id: owner.workflow_id } },
      tasks_create: { body: { title: owner.secret, workflow_id: owner.workflow_id, device_id: owner.device_id } },
      tasks_get: { params: { id: owner.task_id } },
      tasks_update_status: { params: { id: owner.task_id }, body: { status: 'running', device_id: owner.device_id } },
      files_upload: { raw: upload(owner.secret, 'a.txt') },
      files_get: { params: { id: owner.file_id } },
      files_delete: { params: { id: owner.file_id } },
    }
    return visits[id] ?? ('body' in example ? { body: example.body } : {})
  }

  test.each(signedIn.map((route) => [route.id]))('%s wants a token', async (id) => {
    const { token: _, ...request } = { token: '', ...good(id, mara) }
    const reply = await visit(platform.url, id, request)
    expect([reply.status, reply.problem?.code, reply.headers.get('www-authenticate')]).toEqual([401, 'unauthorized', 'Bearer'])
  })

  test.each(served.map((route) => [route.id]))('%s names its methods', async (id) => {
    const route: Route = routes[id]
    const path = route.path.replaceAll(/:[a-z_]+/g, unknownId)
    const response = await fetch(`${platform.url}${path}`, { method: 'PATCH' })
    const problem = (await response.json()) as Problem
    expect([response.status, problem.code, problem.allowed]).toEqual([405, 'method_not_allowed', expect.arrayContaining([route.method])])
    expect(response.headers.get('allow')).toContain(route.method)
  })

  test.each(served.filter((route) => route.body && !isContent(route.body)).map((route) => [route.id]))(
    '%s refuses a wrong body',
    async (id) => {
      const { body: _, ...request } = { body: undefined, ...good(id, mara), token: mara.token }
      const json = { 'content-type': 'application/json' }
      for (const raw of ['[]', '"text"', '{"strange_field":1}', 'null', '{']) {
        const reply = await visit(platform.url, id, { ...request, raw, headers: json })
        expect([raw, reply.status, reply.problem?.code]).toEqual([raw, 400, 'invalid_request'])
      }
      const strange = await visit(platform.url, id, { ...request, raw: '{"strange_field":1}', headers: json })
      expect(strange.problem?.errors?.map((error) => error.pointer)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^(\/strange_field)?$/)]),
      )
      const text = await visit(platform.url, id, { ...request, raw: 'a=b', headers: { 'content-type': 'text/plain' } })
      expect([text.status, text.problem?.code]).toEqual([415, 'unsupported_media_type'])
      const poison = await visit(platform.url, id, { ...request, raw: '{"__proto__":{"x":1}}', headers: json })
      expect(poison.status).toBe(400)
    },
  )

  test.each(served.filter((route) => route.body && !isContent(route.body)).map((route) => [route.id]))(
    '%s refuses too large a body',
    async (id) => {
      const route: Route = routes[id]
      const raw = `{"x":"${'x'.repeat(route.body_limit ?? limits.body_bytes)}"}`
      const reply = await visit(platform.url, id, {
        ...good(id, mara),
        body: undefined,
        raw,
        token: mara.token,
        headers: { 'content-type': 'application/json' },
      })
      expect([reply.status, reply.problem?.code]).toEqual([413, 'payload_too_large'])
    },
  )

  test.each(served.filter((route) => route.method === 'GET').map((route) => [route.id]))(
    '%s refuses a parameter it does not know',
    async (id) => {
      const reply = await visit(platform.url, id, { ...good(id, mara), token: mara.token, query: { strange: '1' } })
      expect([reply.status, reply.problem?.code, reply.problem?.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', '/query/strange'])
    },
  )

  test.each(signedIn.filter((route) => route.path.includes(':id')).map((route) => [route.id]))(
    '%s does not know a foreign or missing id',
    async (id) => {
      for (const request of [{ ...good(id, otto) }, { ...good(id, mara), params: { id: unknownId } }]) {
        const reply = await mara.call(id, request)
        expect([reply.status, reply.problem?.code]).toEqual([404, 'not_found'])
      }
    },
  )

  test.each(signedIn.filter((route) => route.method === 'GET').map((route) => [route.id]))(
    '%s shows the owner everything and a stranger nothing',
    async (id) => {
      const own = await mara.call(id, good(id, mara))
      expect(own.status).toBe(200)
      if (id !== 'users_devices_get') expect(JSON.stringify(own.body)).toContain(mara.secret)
      expect(JSON.stringify(own.body)).not.toContain(otto.secret)
    },
  )

  const changing: RouteId[] = [
    'users_profile_update',
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
  test.each(changing.map((id) => [id]))('%s answers well', async (id) => {
    const reply = await mara.call(id, good(id, mara))
    expect(Object.keys(routes[id].replies).map(Number)).toContain(reply.status)
    expect(reply.status).toBeLessThan(300)
  })

  test('login, refresh and logout', async () => {
    const session = await visit(platform.url, 'auth_login', { body: { email: mara.email, password: mara.password } })
    expect(session.status).toBe(200)
    const wrong = await visit(platform.url, 'auth_login', { body: { email: mara.email, password: 'not the password' } })
    expect([wrong.status, wrong.problem?.code]).toEqual([401, 'invalid_credentials'])
    const nobody = await visit(platform.url, 'auth_login', { body: { email: `nobody.${mara.email}`, password: 'not the password' } })
    expect([nobody.status, nobody.problem?.code, nobody.problem?.detail]).toEqual([401, 'invalid_credentials', wrong.problem?.detail])
    const taken = await visit(platform.url, 'auth_register', { body: { email: mara.email.toUpperCase(), password: mara.password } })
    expect([taken.status, taken.problem?.code]).toEqual([409, 'email_taken'])
    const refreshed = await visit(platform.url, 'auth_refresh', { body: { refresh_token: session.body.refresh_token } })
    expect(refreshed.status).toBe(200)
    const token: string = refreshed.body.access_token
    expect((await visit(platform.url, 'users_profile_get', { token })).status).toBe(200)
    expect((await visit(platform.url, 'auth_logout', { token, body: {} })).status).toBe(204)
    const after = await visit(platform.url, 'users_profile_get', { token })
    expect([after.status, after.problem?.code]).toEqual([401, 'session_ended'])
  })

  test('a refresh token is no access token', async () => {
    const reply = await visit(platform.url, 'users_profile_get', { token: mara.refresh_token })
    expect([reply.status, reply.problem?.code]).toEqual([401, 'invalid_token'])
  })

  test('deleting deletes', async () => {
    const guest = await moveIn(platform.url)
    for (const id of ['files_delete', 'workflows_delete', 'users_devices_delete'] as const) {
      expect((await guest.call(id, good(id, guest))).status).toBe(204)
      expect((await guest.call(id, good(id, guest))).status).toBe(404)
    }
    expect((await guest.call('files_get', good('files_get', guest))).status).toBe(404)
  })

  test('the service tells how it is', async () => {
    const health = await visit(platform.url, 'health')
    expect(health.body).toMatchObject({
      status: 'ok',
      parts: [{ name: 'database', status: 'ok' }, { name: 'cache' }, { name: 'storage', status: 'ok' }],
    })
    expect((await visit(platform.url, 'health', { headers: { 'x-forwarded-for': '203.0.113.9' } })).body).toEqual({ status: 'ok' })
    expect((await visit(platform.url, 'ready')).body.status).toBe('ready')
    expect((await visit(platform.url, 'metrics')).body).toContain('tandem_request_duration_seconds_count')
    expect((await visit(platform.url, 'metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(403)
  })
})
