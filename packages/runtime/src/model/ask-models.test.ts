import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { createCertificate } from '../executor/reference/certificate.ts'
import { askModels, failureOf } from './ask-models.ts'
import { checkedAddress } from './base-url.ts'

type Answer = { readonly status?: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

const open: Server[] = []
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Answers by method and path. A wrong key gets 401 where one is named. */
async function serve(answers: Readonly<Record<string, Answer | ((key: string | undefined, body: string) => Answer)>>, seen: string[] = []) {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const name = `${request.method} ${request.url}`
    seen.push(name)
    const found = answers[name] ?? { status: 404, body: '<html>not here</html>' }
    const { status = 200, body, headers = {} } = typeof found === 'function' ? found(request.headers.authorization, text) : found
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function ask(base_url: string, { key = null, key_check = null }: { key?: string | null; key_check?: string | null } = {}) {
  const checked = checkedAddress(base_url)
  if (!checked.ok) throw new Error(checked.problem)
  const { signal } = new AbortController()
  return await askModels({ candidates: checked.candidates, key, key_check, signal }, testClock())
}

const list = (...ids: string[]) => ({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })
const needsKey = (body: unknown) => (key: string | undefined) =>
  key === 'Bearer sk-right' ? { body } : { status: 401, body: { error: key } }

test('OpenAI: a list behind a key', async () => {
  const base = await serve({ 'GET /v1/models': needsKey(list('gpt-5', 'gpt-5-mini')) })
  expect((await ask(`${base}/v1`, { key: 'sk-right' })).result).toBe('reached')
  expect(await ask(`${base}/v1`, { key: 'sk-wrong' })).toEqual({ result: 'wrong_key', offered: { models: [], omitted: 0 } })
  expect((await ask(`${base}/v1`)).result).toBe('no_key')
})

test('OpenRouter: the list is public, so that the key is tested separately', async () => {
  const data = [{ id: 'a/b', context_length: 8_192, pricing: { prompt: '0.000001', completion: '0.000002' } }]
  const base = await serve({ 'GET /api/v1/models': { body: { data } }, 'GET /api/v1/key': needsKey({ data: { label: 'x' } }) })
  const at = `${base}/api/v1`
  expect((await ask(at, { key: 'sk-right', key_check: 'key' })).result).toBe('reached')
  expect((await ask(at, { key: 'sk-wrong', key_check: 'key' })).result).toBe('wrong_key')
  expect((await ask(at, { key_check: 'key' })).result).toBe('no_key')
})

test('Ollama: each model is described separately, and a bare host means /v1', async () => {
  const base = await serve({
    'GET /v1/models': { body: list('qwen3:8b') },
    'GET /api/tags': { body: { models: [{ name: 'qwen3:8b' }] } },
    'POST /api/show': (_key, body) => ({
      body: { capabilities: ['completion', 'tools', 'vision'], model_info: { 'qwen3.context_length': 40_960 }, asked: JSON.parse(body) },
    }),
  })
  expect(await ask(base)).toEqual({
    result: 'reached',
    offered: { models: [{ id: 'qwen3:8b', name: null, context_tokens: 40_960, images: true, tools: true, price: null }], omitted: 0 },
  })
})

test('LM Studio: its own list says what a model can do', async () => {
  const own = { data: [{ id: 'llava', type: 'vlm', max_context_length: 4_096 }] }
  const base = await serve({ 'GET /v1/models': { body: list('llava') }, 'GET /api/v0/models': { body: own } })
  expect((await ask(`${base}/v1`)).offered.models).toEqual([
    { id: 'llava', name: null, context_tokens: 4_096, images: true, tools: null, price: null },
  ])
})

test('a gateway is not asked for the lists of local servers', async () => {
  const seen: string[] = []
  const base = await serve({ 'GET /api/v1/llm/models': { body: list('openai/gpt-5') } }, seen)
  expect([(await ask(`${base}/api/v1/llm`)).result, seen]).toEqual(['reached', ['GET /api/v1/llm/models']])
})

test.each([
  ['no models', { body: list() }, 'no_models'],
  ['too many requests', { status: 429 }, 'rate_limited'],
  ['an error of the server', { status: 500, body: 'x' }, 'server_error'],
  ['a web page', { body: '<html>hello</html>' }, 'not_a_model_server'],
  ['other JSON', { body: { hello: 1 } }, 'not_a_model_server'],
  ['nothing there', { status: 404 }, 'not_a_model_server'],
  ['a redirect, which is not followed', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'not_a_model_server'],
  ['50 MB', { body: `{"data":[${'"x",'.repeat(12_500_000)}0]}` }, 'list_too_long'],
] as const)('%s', async (_what, answer, result) => {
  const base = await serve({ 'GET /v1/models': answer })
  expect(await ask(`${base}/v1`)).toEqual({ result, offered: { models: [], omitted: 0 } })
})

test('a server that accepts the connection and says nothing', async () => {
  const arrived = Promise.withResolvers<void>()
  const server = createServer(() => arrived.resolve())
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const clock = testClock()
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const asked = askModels({ candidates: [base], key: null, key_check: null, signal: new AbortController().signal }, clock)
  await arrived.promise
  clock.advance(8_000)
  expect((await asked).result).toBe('timeout')
})

test('nothing listens, and there is no such host', async () => {
  const base = await serve({})
  const [server] = open.splice(0)
  await new Promise((resolve) => server?.close(resolve))
  expect((await ask(`${base}/v1`)).result).toBe('refused')
  expect((await ask('http://no-such-host.invalid/v1')).result).toBe('no_such_host')
})

test('a certificate that is not trusted, and a server without TLS', async () => {
  const server = createTlsServer(createCertificate(Date.now()), (_request, response) => response.end('{}'))
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  expect((await ask(`https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)).result).toBe('tls')
  const plain = await serve({ 'GET /v1/models': { body: list('a') } })
  expect((await ask(`${plain.replace('http:', 'https:')}/v1`)).result).toBe('tls')
})

test.each([
  ['ENOTFOUND', 'no_such_host'],
  ['EAI_AGAIN', 'no_such_host'],
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['EPROTO', 'tls'],
  ['ECONNRESET', 'not_a_model_server'],
  ['', 'not_a_model_server'],
])('the error %s is %s', (code, result) => {
  expect(failureOf(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }))).toBe(result)
})
