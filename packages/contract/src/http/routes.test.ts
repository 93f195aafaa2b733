import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { LoginRequest, Session } from '../auth/index.ts'
import { type ProblemCode, problemCodes, problems } from '../problem/index.ts'
import type { PullQuery, PullReply } from '../sync/index.ts'
import { checkWorkflow } from '../workflow/index.ts'
import {
  type Content,
  isContent,
  problemsOf,
  type Route,
  type RouteBody,
  type RouteParams,
  type RouteQuery,
  type RouteReply,
} from './index.ts'
import { definition } from './routes/sample.ts'
import { type Routes, routes } from './schema.ts'

const all: [string, Route][] = Object.entries(routes)

/** Exactly the endpoint tables of the specification. */
const specified = [
  'POST /api/v1/sync/push',
  'GET /api/v1/sync/pull',
  'POST /api/v1/device/heartbeat',
  'GET /health',
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/refresh',
  'GET /api/v1/users/profile',
  'PUT /api/v1/users/profile',
  'GET /api/v1/users/devices',
  'POST /api/v1/users/devices',
  'GET /api/v1/workflows',
  'POST /api/v1/workflows',
  'GET /api/v1/workflows/:id',
  'PUT /api/v1/workflows/:id',
  'DELETE /api/v1/workflows/:id',
  'POST /api/v1/tasks',
  'GET /api/v1/tasks',
  'GET /api/v1/tasks/:id',
  'PUT /api/v1/tasks/:id/status',
  'POST /api/v1/files/upload',
  'GET /api/v1/files/:id',
  'POST /api/v1/logs',
  'GET /api/v1/logs',
  'WS /ws',
]

const addresses = all.map(([, { method, path }]) => `${method} ${path}`)

test('every endpoint of the specification exists', () => {
  expect(specified.filter((address) => !addresses.includes(address))).toEqual([])
})

test('the model gateway is under /api/v1/llm and uses a dialect, except for our own usage report', () => {
  const gateway = all.filter(([, { path }]) => path.startsWith('/api/v1/llm/'))
  expect(gateway.filter(([, { dialect }]) => !dialect).map(([id]) => id)).toEqual(['llm_usage'])
  expect(all.filter(([, { path, dialect }]) => dialect && !path.startsWith('/api/v1/llm/'))).toEqual([])
})

test('ids are unique, and no path is served twice', () => {
  expect(all.filter(([id, route]) => id !== route.id || !/^[a-z][a-z0-9_]*$/.test(id))).toEqual([])
  expect(new Set(addresses).size).toBe(addresses.length)
})

describe.each(all)('%s', (_id, route) => {
  test('its examples match its schemas', () => {
    const parts: [string, TSchema | undefined, unknown][] = [
      ['params', route.params, route.examples.params],
      ['query', route.query, route.examples.query ?? (route.query && {})],
      ['body', jsonOf(route.body), route.examples.body],
      ['reply', jsonOf(usualReply(route)), route.examples.reply],
    ]
    for (const [name, schema, example] of parts) {
      if (schema) expect([name, example, Value.Errors(schema, example)]).toEqual([name, example, []])
    }
  })

  test('an unknown field is refused everywhere', () => {
    const shapes = [route.params, route.query, route.headers, jsonOf(route.body), jsonOf(usualReply(route))]
    const examples = [route.examples.params, route.examples.query ?? {}, {}, route.examples.body, route.examples.reply]
    shapes.forEach((schema, at) => {
      if (schema) expect(Value.Check(schema, { ...Object(examples[at]), nobody_knows_this: 1 })).toBe(false)
    })
  })

  test('names its parameters in its path', () => {
    const named = [...route.path.matchAll(/:([a-z_]+)|(\*)/g)].map((found) => found[1] ?? found[2])
    expect(Object.keys(Object(route.examples.params))).toEqual(named)
    expect(route.params !== undefined).toBe(named.length > 0)
  })

  test('has a reply, and its problems are known and listed once', () => {
    expect(Object.keys(route.replies).length).toBeGreaterThan(0)
    expect(route.problems.filter((code) => !(code in problems))).toEqual([])
    expect(new Set(route.problems).size).toBe(route.problems.length)
  })

  test('takes a body only where the method has one', () => {
    if (route.method === 'GET' || route.method === 'DELETE' || route.method === 'WS') expect(route.body).toBeUndefined()
    else expect(route.body).toBeDefined()
  })

  test('takes an Idempotency-Key if and only if it declares it', () => {
    const takesKey = route.headers !== undefined && Value.Check(route.headers, { 'idempotency-key': 'order-2026-0001' })
    expect(takesKey).toBe(route.idempotent === true)
  })
})

test('the example workflow is valid', () => {
  expect(checkWorkflow(definition)).toEqual([])
})

test('only these need no authentication', () => {
  expect(all.filter(([, { auth }]) => auth === 'none').map(([id]) => id)).toEqual([
    'health',
    'ready',
    'metrics',
    'ws',
    'auth_register',
    'auth_login',
    'auth_refresh',
  ])
})

test('every problem can occur on some route', () => {
  const met = new Set<ProblemCode>(all.flatMap(([, route]) => problemsOf(route)))
  expect(problemCodes.filter((code) => !met.has(code))).toEqual([])
})

test('a handler and a caller get exact types', () => {
  expectTypeOf<RouteBody<Routes['auth_login']>>().toEqualTypeOf<LoginRequest>()
  expectTypeOf<RouteReply<Routes['auth_login']>>().toEqualTypeOf<Session>()
  expectTypeOf<RouteReply<Routes['auth_register'], 201>>().toEqualTypeOf<Session>()
  expectTypeOf<RouteQuery<Routes['sync_pull']>>().toEqualTypeOf<PullQuery>()
  expectTypeOf<RouteReply<Routes['sync_pull'], 200>>().toEqualTypeOf<PullReply>()
  expectTypeOf<RouteParams<Routes['tasks_get']>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<RouteBody<Routes['tasks_get']>>().toEqualTypeOf<undefined>()
  expectTypeOf<RouteBody<Routes['files_upload']>>().toEqualTypeOf<undefined>()
  expectTypeOf<RouteReply<Routes['auth_logout'], 204>>().toEqualTypeOf<undefined>()
})

function usualReply(route: Route): TSchema | Content | undefined {
  const success = Object.entries(route.replies).find(([status]) => Number(status) < 300)
  return success?.[1]
}

/** The schema of a body, or of the text parts of an upload; none if bytes are passed through. */
function jsonOf(body: TSchema | Content | undefined): TSchema | undefined {
  if (!body || !isContent(body)) return body
  return body.content === 'multipart' ? body.fields : undefined
}
