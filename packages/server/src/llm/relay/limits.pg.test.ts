// The operator's limits, with images and many concurrent calls.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../test/support/gateway.ts'

let free: Gateway
let tight: Gateway

beforeAll(async () => {
  free = await startGateway({ env: { LLM_REQUESTS_PER_MINUTE: '0', LLM_TOKENS_PER_MINUTE: '0', LLM_CALLS_IN_FLIGHT: '64' } })
  tight = await startGateway({ env: { LLM_TOKENS_PER_MINUTE: '200000', LLM_TOKENS_PER_MONTH: '300000' } })
})
afterAll(async () => {
  await free[Symbol.asyncDispose]()
  await tight[Symbol.asyncDispose]()
})

const hello = { model: 'openai/gpt-test', messages: [{ role: 'user', content: 'Hello' }] }
const picture = (bytes: number) => ({
  model: 'openai/gpt-test',
  max_tokens: 100,
  messages: [
    {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${randomBytes(bytes).toString('base64')}` } }],
    },
  ],
})

test('0 means no limit: more than 240 calls in a minute', async () => {
  const user = await free.user()
  const statuses = new Set<number>()
  for (let wave = 0; wave < 26; wave += 1) {
    const replies = await Promise.all(Array.from({ length: 10 }, () => free.post('/chat/completions', user, hello)))
    for (const reply of replies) {
      await reply.arrayBuffer()
      statuses.add(reply.status)
    }
  }
  expect([...statuses]).toEqual([200])
})

test("the operator's number of concurrent calls is allowed", async () => {
  const user = await free.user()
  free.upstream.forget()
  const slow = { delay_ms: 60_000 }
  free.upstream.always(slow)
  const leave = new AbortController()
  const calls = Array.from({ length: 64 }, () =>
    free.post('/chat/completions', user, hello, { signal: leave.signal }).catch(() => undefined),
  )
  await free.upstream.arrived(64)
  const refused = await free.post('/chat/completions', user, hello)
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { error: { message: expect.stringContaining('more than 64 model calls') } },
  ])
  leave.abort()
  await Promise.all(calls)
  free.upstream.forget()
})

test('images count by their size class, and the budget admits the first ones', async () => {
  const user = await tight.user()
  for (let call = 0; call < 3; call += 1) {
    const reply = await tight.post('/chat/completions', user, picture(1_000_000))
    await reply.arrayBuffer()
    expect(reply.status).toBe(200)
  }
})

test('an image without reported usage is settled by its class', async () => {
  const user = await tight.user()
  tight.upstream.next({ writes: 0, end: 'hang' })
  const leave = new AbortController()
  const call = tight.post('/chat/completions', user, picture(2_000_000), { signal: leave.signal }).catch(() => undefined)
  await tight.upstream.arrived(4)
  leave.abort()
  await call
  const [row] = await tight.ledger(user, 1)
  expect(row).toMatchObject({ status: 499, estimated: true, output_tokens: 0 })
  expect(row?.input_tokens).toBeGreaterThan(1_600)
  expect(row?.input_tokens).toBeLessThan(1_700)
})
