// Too many requests: every rule of every class of the contract's table, on its own routes.
import { addressRate, type RateClass, type RateRule, type Route, rateClasses } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { emailDigest } from '../src/account/email.ts'
import { openInProcessCache } from '../src/cache/in-process.ts'
import { type TestApp, type TestUser, testApp } from './support/test-app.ts'

let backend: TestApp
let url: string
beforeAll(async () => {
  // The clock of the counters is stopped; otherwise they would refill in a moment.
  const cache = openInProcessCache({ log: () => undefined, clock: { now: () => 0, every: () => () => undefined } })
  // Requests set their address, as a proxy would.
  backend = await testApp({ config: { trust_proxy: 1 }, services: { cache } })
  url = await backend.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => backend.close())

const served = (Object.values(routes) as Route[]).filter((route) => route.method !== 'WS')
const classes = Object.entries(rateClasses) as [RateClass, readonly RateRule[]][]
const rules = classes.flatMap(([rate, all]) => all.map((rule) => ({ rate, rule, name: `${rate}: ${rule.requests} a ${rule.per}` })))

interface Asker {
  readonly user: TestUser
  readonly address: string
  readonly device: string
}

async function newAsker(): Promise<Asker> {
  return { user: await backend.user(), address: backend.address(), device: 'laptop' }
}

function keyOf(rate: string, { per }: RateRule, { user, address, device }: Asker): string {
  const account = emailDigest(user.email)
  const whose = {
    address,
    user: user.user_id,
    device: `${user.user_id}:${device}`,
    account,
    account_and_address: `${account}:${address}`,
    account_and_device: `${account}:${device}`,
  }
  return `rate:${rate}:${per}:${whose[per]}`
}

/** As if the caller had already made that many requests. */
async function useUp(rate: string, rule: RateRule, asker: Asker): Promise<void> {
  const limit = { points: rule.requests, seconds: rule.seconds }
  while ((await backend.services.cache.take(keyOf(rate, rule, asker), limit)).allowed);
}

/** One request of a class, valid enough to reach the tested rule. */
function ask(rate: RateClass, { user, address, device }: Asker): Promise<Response> {
  const route = served.find((one) => one.rate === rate) ?? expect.fail(`no route has the rate ${rate}`)
  const payloads: Partial<Record<RateClass, unknown>> = {
    heartbeat: { ...routes.device_heartbeat.examples.body, device_id: device },
    login: { email: user.email, password: 'not the password' },
    model: { model: 'demo/scripted', messages: [{ role: 'user', content: 'Hello' }] },
  }
  return fetch(`${url}${route.path.replaceAll(':id', '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c99')}`, {
    method: route.method,
    headers: { ...user.headers, 'x-forwarded-for': address, 'content-type': 'application/json' },
    ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { body: JSON.stringify(payloads[rate] ?? {}) }),
  })
}

// The rule for known devices is tested with the accounts.
test.each(rules.filter(({ rate, rule }) => rate !== 'socket' && rule.per !== 'account_and_device'))('$name', async ({ rate, rule }) => {
  const asker = await newAsker()
  await useUp(rate, rule, asker)
  const reply = await ask(rate, asker)
  const body = await reply.json()
  expect([reply.status, rate === 'model' ? Object(body).error.code : Object(body).code]).toEqual([429, 'rate_limited'])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  if (rule.counts !== 'failures') {
    expect([reply.headers.get('ratelimit-limit'), reply.headers.get('ratelimit-remaining')]).toEqual([String(rule.requests), '0'])
  }
  const stranger = await ask(rate, await newAsker())
  expect(stranger.status).not.toBe(429)
  expect(stranger.status).toBeLessThan(500)
  // A limit does not affect the other classes.
  if (rule.per === 'device') expect((await ask(rate, { ...asker, device: 'telephone' })).status).toBe(200)
})

test.each(classes.filter(([rate]) => rate !== 'socket'))('%s: the limit per address applies to every request', async (rate) => {
  const asker = await newAsker()
  await useUp('all', addressRate, asker)
  expect((await ask(rate, asker)).status).toBe(429)
})

test('sockets per address', async () => {
  const asker = await newAsker()
  const statusOf = () =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers: { 'x-forwarded-for': asker.address } })
      socket.once('open', () => {
        socket.close()
        resolve(101)
      })
      socket.once('unexpected-response', (_request, response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      socket.on('error', () => undefined)
    })
  expect(await statusOf()).toBe(101)
  await useUp('socket', rateClasses.socket[0], asker)
  expect(await statusOf()).toBe(429)
})
