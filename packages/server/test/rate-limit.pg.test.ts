// Too many requests, for every class of the contract's table.
import { type RateRule, type Route, rateClasses } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../src/test-app.ts'

let backend: TestApp
beforeAll(async () => {
  backend = await testApp()
})
afterAll(() => backend.close())

const served = (Object.values(routes) as Route[]).filter((route) => route.tag !== 'llm' && route.method !== 'WS')
const examples = [...Map.groupBy(served, (route) => route.rate)].map(([rate, [route]]) => [rate, route as Route] as const)

test.each(examples)('%s', async (rate, route) => {
  const user = await backend.user()
  const rules: readonly RateRule[] = rateClasses[rate]
  const rule = rules.find((one) => one.counts !== 'failures' && (one.per === 'address' || one.per === 'user')) ?? expect.fail()
  const remoteAddress = backend.address()
  const whose = rule.per === 'address' ? remoteAddress : user.user_id
  await backend.services.cache.take(`rate:${rate}:${rule.per}:${whose}`, { points: rule.requests, seconds: rule.seconds }, rule.requests)

  const url = route.path.replaceAll(':id', '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c99')
  const reply = await backend.app.inject({
    method: route.method as 'GET',
    url,
    remoteAddress,
    headers: user.headers,
    payload: route.method === 'GET' ? undefined : {},
  } as never)
  expect([reply.statusCode, reply.json().code]).toEqual([429, 'rate_limited'])
  expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(reply.headers).toMatchObject({ 'ratelimit-limit': String(rule.requests), 'ratelimit-remaining': '0' })

  const stranger = await backend.user()
  const other = await backend.app.inject({
    method: route.method as 'GET',
    url,
    remoteAddress: backend.address(),
    headers: stranger.headers,
    payload: route.method === 'GET' ? undefined : {},
  } as never)
  expect(other.statusCode).not.toBe(429)
})
