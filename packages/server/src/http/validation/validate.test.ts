import type { Route } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../refusal.ts'
import { requestCheck } from './validate.ts'

const parts = (request: object) =>
  ({ params: {}, query: {}, headers: {}, body: undefined, ...request }) as Partial<FastifyRequest> as FastifyRequest
const list = requestCheck(routes.tasks_list)

describe('values that arrive as text', () => {
  test.each([
    [{ limit: '10' }, { limit: 10 }],
    [
      { status: 'pending', device_id: '7' },
      { status: 'pending', device_id: '7' },
    ],
    [{}, {}],
  ])('%o is parsed as %o', (query, read) => {
    expect(list(parts({ query })).query).toEqual(read)
  })

  test.each(['1.5', '1e3', '0x10', ' 5', '', '-1', '0', '100000', 'ten', '99999999999999999999'])('limit=%s is refused', (limit) => {
    const failing = () => list(parts({ query: { limit } }))
    expect(failing).toThrow(Refusal)
    expect(failing).toThrow('query parameter `limit` must be ')
  })

  test.each(['__proto__', 'constructor', 'strange'])('%s is not a parameter', (name) => {
    expect(() => list(parts({ query: JSON.parse(`{"${name}":"1"}`) }))).toThrow(Refusal)
  })
})

test('no body has a field with the name of another part, so a pointer is unambiguous', () => {
  const bodies = (Object.values(routes) as Route[]).flatMap(({ body }) =>
    body && 'properties' in body ? [Object.keys(body.properties as object)] : [],
  )
  expect(bodies.length).toBeGreaterThan(10)
  expect(bodies.flat().filter((name) => ['params', 'query', 'headers'].includes(name))).toEqual([])
})

test.each([
  [routes.tasks_list, { query: { limit: '0' } }, 'query parameter `limit` must be at least 1'],
  [routes.tasks_get, { params: { id: 'x' } }, 'path parameter `id` must be a UUID'],
  [
    routes.tasks_create,
    { headers: { 'idempotency-key': 'short' }, body: { title: 'T' } },
    'header `idempotency-key` must have at least 8 characters',
  ],
  [routes.tasks_create, { body: {} }, '`title` is missing'],
  [routes.tasks_create, { body: [] }, 'the body must be an object'],
  [routes.auth_register, { body: { email: 'a@b.org', password: 'short' } }, '`password` must have at least 10 characters'],
])('the refusal names the field and what is expected', (route, request, text) => {
  expect(() => requestCheck(route)(parts(request))).toThrow(expect.objectContaining({ code: 'invalid_request', message: text }))
})

test('only the headers that a route uses are checked', () => {
  const create = requestCheck(routes.tasks_create)
  const headers = { 'idempotency-key': 'abcdefgh', host: 'x', cookie: 'a=b' }
  expect(create(parts({ headers, body: { title: 'T' } }))).toMatchObject({
    headers: { 'idempotency-key': 'abcdefgh' },
    body: { title: 'T' },
  })
})

test('a body with far too many fields is refused before its fields are checked', () => {
  const push = requestCheck(routes.sync_push)
  const names = Array.from({ length: 1_001 }, (_, index) => [`name${index}`, 1])
  let looked = 0
  const body = new Proxy(Object.fromEntries([['device_id', 'laptop'], ['changes', []], ...names]), {
    get: (target, name, self) => {
      looked += 1
      return Reflect.get(target, name, self)
    },
  })
  expect(() => push(parts({ body }))).toThrow('the body must have at most 1000 fields')
  expect(looked).toBe(0)
})

test('every fault of a body is listed with its pointer', () => {
  const create = requestCheck(routes.tasks_create)
  try {
    create(parts({ body: { title: 7, nonsense: true } }))
    expect.unreachable()
  } catch (error) {
    const pointers = (error as Refusal).extra.errors?.map((one) => one.pointer)
    expect(pointers).toEqual(expect.arrayContaining(['/title']))
    expect((error as Refusal).code).toBe('invalid_request')
  }
})
