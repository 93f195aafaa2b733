// End to end: a user who is signed in and configures nothing else, a server with ANTHROPIC_API_KEY alone, and a run with tools.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anthropicFaults } from '../packages/server/test/support/anthropic-rules.ts'
import { startTestUpstream, type TestUpstream } from '../packages/server/test/support/upstream.ts'
import { type CloudDevice, openCloudDevice, resultsOf } from './cloud-device.ts'
import { newUser } from './cloud-server.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { endServers, type ServerProcess, startServerProcess } from './server-process.ts'

let database: TestDatabase
let upstream: TestUpstream
let server: ServerProcess
let device: CloudDevice
const key = 'sk-ant-of-a-test'

beforeAll(async () => {
  database = await emptyDatabase()
  upstream = await startTestUpstream()
  server = await startServerProcess({
    ...{ BAAS_URL: database.url, BAAS_KEY: database.password, LOG_LEVEL: 'warn', NODE_ENV: 'production' },
    ...{ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: upstream.url, OLLAMA_HOST: 'off', LLM_DEMO: 'off' },
  })
  device = openCloudDevice('desk', { environment: { TANDEM_MEMORY_MODEL: 'off' } })
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await endServers()
  await upstream.close()
  await database[Symbol.asyncDispose]()
})

const event = (type: string, data: object) => `event: ${type}\r\ndata: ${JSON.stringify({ type, ...data })}\r\n\r\n`

/** A turn as the API streams it: thoughts, a text and two calls, in pieces that split characters. */
function firstTurn(): Uint8Array[] {
  const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]
  const call = (index: number, id: string, name: string, input: string) =>
    block(
      index,
      { type: 'tool_use', id, name, input: {} },
      { type: 'input_json_delta', partial_json: '' },
      ...[input.slice(0, 9), input.slice(9)].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    )
  const usage = { input_tokens: 9, cache_creation_input_tokens: 1_000, cache_read_input_tokens: 0, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-test', content: [], stop_reason: null, usage }
  const events = [
    event('message_start', { message }),
    event('ping', {}),
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Zuerst die Grüße' },
      { type: 'signature_delta', signature: 'c2lnbmF0dXJl' },
    ),
    ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Ich sehe nach – 世界 👋🏽' }),
    ...call(2, 'toolu_a', 'fs__read', '{"path":"grüße.txt"}'),
    ...call(3, 'toolu_b', 'fs__write', '{"path":"answer.txt","content":"Grüße zurück 👋🏽"}'),
    event('message_delta', { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 60 } }),
    event('message_stop', {}),
  ]
  const bytes = Buffer.from(events.join(''))
  return Array.from({ length: Math.ceil(bytes.length / 5) }, (_, index) => bytes.subarray(index * 5, index * 5 + 5))
}

test('two calls and an answer, through a gateway that has only a key of Anthropic', async () => {
  await device.signIn(server.url, newUser(), 'new')
  writeFileSync(join(device.workspace, 'grüße.txt'), 'Grüße, 世界\n')
  const { key: token } = await device.call('account_key_create', { name: 'Usage', scopes: ['gateway'] })
  upstream.next(
    { pieces: firstTurn() },
    { answer: { text: 'Fertig.', usage: { input: 1_300, cached: 1_000, output: 4 } }, bytes_a_write: 3 },
  )

  const run_id = await device.sendMessage('Answer the greeting')
  expect(await device.approveAll(run_id)).toEqual(['fs.write'])
  const run = device.runtime.journal.run(run_id)
  expect([run?.state, run?.model, run?.turns]).toEqual(['completed', 'anthropic/claude-test', 2])
  expect(resultsOf(device, run_id).map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded'])
  expect(readFileSync(join(device.workspace, 'answer.txt'), 'utf8')).toBe('Grüße zurück 👋🏽')

  // What the provider got: its own thoughts and calls back, and the results in the order of the calls.
  const turns = upstream.requests.filter(({ body }) => body.includes('"tools"'))
  expect(turns.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
    ['/v1/messages', key],
    ['/v1/messages', key],
  ])
  expect(upstream.requests.flatMap(({ body }) => anthropicFaults(body))).toEqual([])
  const { messages } = JSON.parse(String(turns[1]?.body)) as { messages: { role: string; content: Record<string, unknown>[] }[] }
  expect(messages.slice(1)).toMatchObject([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Zuerst die Grüße', signature: 'c2lnbmF0dXJl' },
        { type: 'text', text: 'Ich sehe nach – 世界 👋🏽' },
        { type: 'tool_use', id: 'toolu_a', name: 'fs__read', input: { path: 'grüße.txt' } },
        { type: 'tool_use', id: 'toolu_b', name: 'fs__write', input: { path: 'answer.txt', content: 'Grüße zurück 👋🏽' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_a' },
        { type: 'tool_result', tool_use_id: 'toolu_b' },
      ],
    },
  ])

  // Each call of the model is counted once, with the same numbers on the device and in the cloud.
  expect(run?.usage).toMatchObject({ input_tokens: 1_009 + 1_300, output_tokens: 64, cached_tokens: 1_000, estimated: false })
  const report = await fetch(`${server.url}/api/v1/llm/usage`, { headers: { authorization: `Bearer ${token}` } })
  const totals = { requests: 2, failed_requests: 0, input_tokens: 2_309, cached_input_tokens: 1_000, output_tokens: 64 }
  expect(await report.json()).toMatchObject({ totals })
})
