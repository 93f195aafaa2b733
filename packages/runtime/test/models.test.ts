// Models and their cost in a whole runtime: lists, connection tests, prices and usage, and where a key goes.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

const facts = {
  'GET /v1/models': {
    data: [
      { id: 'test/model', name: 'Test', context_length: 32_000, pricing: { prompt: '0.000001', completion: '0.00001' } },
      { id: 'other', supported_parameters: ['tools'] },
    ],
  },
}

let agent: TestAgent | undefined
const servers: Server[] = []
afterEach(async () => {
  await agent?.stop()
  agent = undefined
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function started(): Promise<TestAgent> {
  agent = await startTestAgent([{ text: 'Hello.' }, { text: 'Again.' }], { facts })
  return agent
}

const known = {
  ...{ id: 'test/model', name: 'Test', context_tokens: 32_000, images: null, tools: null },
  ...{ billing: 'priced', price: { input: 1, cached_input: null, output: 10 }, price_source: 'listed' },
}
const other = { ...known, id: 'other', name: null, context_tokens: null, tools: true, billing: 'local', price: null, price_source: null }

test('the list of the address, and offline the one that was last seen', async () => {
  const { call, model, ...rest } = await started()
  const list = await call('model_catalog', {})
  expect({ ...list, seen_at: null }).toEqual({ address: model.base_url, seen_at: null, problem: null, models: [known, other], omitted: 0 })
  await rest.restart(undefined, () => model.close())
  const offline = await agent?.call('model_catalog', { refresh: true })
  expect(offline).toEqual({
    ...list,
    problem: {
      ...{ result: 'refused', works: false, preset: 'compatible', host: new URL(model.base_url).host, models: 0 },
      ...{ message: `Nothing responds at ${new URL(model.base_url).host}.`, remedy: 'Check the port, and that the server is running.' },
    },
  })
})

test('what a run costs: by run, by conversation and by month, with the price of the user first', async () => {
  const { call, ask, agent: create, model } = await started()
  const { run_id } = await ask(await create(), 'Hello')
  const conversation_id = agent?.runtime.journal.run(run_id)?.conversation_id ?? ''
  const usage = { input_tokens: 10, output_tokens: 5, cached_tokens: 0, estimated: false }
  const row = { model: 'test/model', address: model.base_url, runs: 1, usage }
  // A local server costs nothing, as long as no price is known.
  const free = { ...row, billing: 'local', price: null, price_source: null, cost: null }
  expect(await call('usage_get', { run_id })).toEqual({ month: null, rows: [free], total: { runs: 1, usage } })
  await call('model_catalog', {})
  const listed = { ...row, billing: 'priced', price: known.price, price_source: 'listed', cost: { dollars: 0.00006, approximate: false } }
  expect((await call('usage_get', { conversation_id })).rows).toEqual([listed])
  const price = { input: 100, cached_input: 10, output: 1_000 }
  expect(await call('model_set_price', { model: 'test/model', price })).toEqual({
    model: { ...known, price, price_source: 'entered' },
  })
  const [month = ''] = (await call('usage_months', {})).months
  expect((await call('usage_get', { month })).rows).toEqual([
    { ...row, billing: 'priced', price, price_source: 'entered', cost: { dollars: 0.006, approximate: false } },
  ])
  expect((await call('usage_get', {})).month).toBe(month)
  await call('model_set_price', { model: 'test/model', price: null })
  expect((await call('usage_get', { run_id })).rows).toEqual([listed])
})

test('wrong requests are refused with the field', async () => {
  const { runtime } = await started()
  const refusal = async (name: string, params: unknown) => {
    const answer = await runtime.commands.callUntrusted(name, params)
    return answer.ok ? null : [answer.error.code, answer.error.fields?.[0]?.field]
  }
  const none = '0190f5fe-0000-7000-8000-000000000000'
  expect(await refusal('usage_get', { run_id: none })).toEqual(['not_found', undefined])
  expect(await refusal('usage_get', { conversation_id: none })).toEqual(['not_found', undefined])
  expect(await refusal('usage_get', { run_id: none, month: '2026-11' })).toEqual(['invalid_params', 'month'])
  expect(await refusal('usage_get', { month: '2026-13' })).toEqual(['invalid_params', 'month'])
  expect(await refusal('model_test_connection', { model_base_url: 'ftp://x' })).toEqual(['invalid_params', 'model_base_url'])
  expect(await refusal('model_test_connection', { model_base_url: 'http://a:b@c/v1' })).toEqual(['invalid_params', 'model_base_url'])
  expect(await refusal('model_catalog', { model_base_url: 'not a url' })).toEqual(['invalid_params', 'model_base_url'])
  expect(await refusal('model_set_price', { model: 'm', price: { input: -1, cached_input: null, output: 1 } })).toEqual([
    'invalid_params',
    'price.input',
  ])
  expect(await refusal('model_set_price', { model: 'm', price: { input: 1, cached_input: null, output: 10_001 } })).toEqual([
    'invalid_params',
    'price.output',
  ])
})

test('the source account is the address of the account, also while another is configured', async () => {
  const { call, model } = await started()
  const none = {
    ...{ result: 'signed_out', works: false, preset: 'gateway', host: '', models: 0 },
    message: 'You are not signed in to an account.',
  }
  expect(await call('model_test_connection', { source: 'account' })).toMatchObject(none)
  expect(await call('model_catalog', { source: 'account' })).toMatchObject({ address: null, models: [], problem: none })
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.end(JSON.stringify({ data: [{ id: 'cloud/one' }] }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  agent?.runtime.offerModels({ base_url, default_model: null, key: async () => 'token-of-the-account' })
  expect(await call('model_test_connection', { source: 'account' })).toMatchObject({ result: 'reached', host: new URL(base_url).host })
  expect((await call('model_catalog', { source: 'account' })).models.map(({ id }) => id)).toEqual(['cloud/one'])
  expect((await call('model_catalog', {})).address).toBe(model.base_url)
  expect(new Set(keys)).toEqual(new Set(['Bearer token-of-the-account']))
  const both = await agent?.runtime.commands.call('model_catalog', { source: 'account', model_base_url: base_url })
  expect(both).toMatchObject({ error: { code: 'invalid_params', fields: [{ field: 'source' }] } })
})

test('a stored key goes only to its own address, an entered one is not stored, and neither is written anywhere', async () => {
  const { call, folder, logged, runtime } = await started()
  const keys: (string | undefined)[] = []
  const listen = async () => {
    const server = createServer((request, response) => {
      keys.push(request.headers.authorization)
      response.writeHead(401).end(JSON.stringify({ error: { message: `wrong key ${request.headers.authorization}` } }))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }
  const [own, foreign] = [await listen(), await listen()]
  await call('runtime_set_settings', { model_base_url: own, model_key: 'sk-stored-7f3a9c' })
  expect((await call('model_test_connection', {})).result).toBe('wrong_key')
  expect((await call('model_test_connection', { model_base_url: foreign })).result).toBe('no_key')
  expect((await call('model_test_connection', { model_base_url: foreign, model_key: 'sk-typed-7f3a9c' })).result).toBe('wrong_key')
  expect((await call('model_catalog', { model_base_url: foreign })).problem?.result).toBe('no_key')
  expect(keys).toEqual(['Bearer sk-stored-7f3a9c', undefined, 'Bearer sk-typed-7f3a9c', undefined])
  expect(JSON.stringify([logged, runtime.events.list({ limit: 1_000 })])).not.toContain('7f3a9c')
  const home = join(folder, 'home')
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const holding = files.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('7f3a9c')).map(({ name }) => name)
  expect(holding).toEqual(['settings.json'])
  expect(readFileSync(join(home, 'settings.json'), 'utf8')).not.toContain('typed-7f3a9c')
})
