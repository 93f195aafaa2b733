import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { type ServerFacts, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { type ContextWindows, openContextWindows } from './context-windows.ts'

let server: TestModel | undefined
let windows: ContextWindows | undefined
afterEach(async () => {
  windows?.close()
  await server?.close()
  server = undefined
})

const clock = testClock()

async function open(facts: Record<string, unknown>) {
  const started = await startTestModel([], facts as ServerFacts)
  server = started
  windows = openContextWindows({ base: () => started.base_url, key: async () => null }, clock)
  return windows
}

test('asks a local server in every way it may support, and again at the next turn until the model is loaded', async () => {
  const facts: Record<string, unknown> = { 'POST /api/show': { model_info: { 'llama.context_length': 131_072 } } }
  const opened = await open(facts)
  expect(await opened.of('llama3', null)).toEqual({ tokens: 131_072, reserved: 16_000, source: 'model_list' })
  expect(new Set(server?.asked)).toEqual(new Set(['GET /v1/models', 'GET /api/ps', 'POST /api/show', 'GET /api/v0/models', 'GET /props']))
  facts['GET /api/ps'] = { models: [{ model: 'llama3:latest', context_length: 8_192 }] }
  expect(await opened.of('llama3', null)).toEqual({ tokens: 8_192, reserved: 1_024, source: 'model_list' })
  const asked = server?.asked.length
  await opened.of('llama3', null)
  expect(server?.asked.length).toBe(asked)
  clock.advance(61_000)
  await opened.of('llama3', null)
  expect(server?.asked.length).toBe((asked ?? 0) + 5)
})

test('asks a gateway only for its list', async () => {
  const started = await startTestModel([], { 'GET /api/v1/llm/models': { data: [{ id: 'house/m', context_window: 32_768 }] } })
  server = started
  windows = openContextWindows({ base: () => started.base_url.replace('/v1', '/api/v1/llm'), key: async () => null }, clock)
  expect(await windows.of('house/m', null)).toEqual({ tokens: 32_768, reserved: 4_096, source: 'model_list' })
  expect(started.asked).toEqual(['GET /api/v1/llm/models'])
})

test('needs no server if it is set', async () => {
  const opened = await open({ 'GET /v1/models': { data: [{ id: 'm', max_model_len: 4_096 }] } })
  expect(await opened.of('m', 16_384)).toEqual({ tokens: 16_384, reserved: 2_048, source: 'setting' })
  expect(server?.asked).toEqual([])
})

test('uses the name of the model if a server reports nothing or does not exist', async () => {
  const opened = await open({})
  expect(await opened.of('llama3', null)).toMatchObject({ tokens: 8_192, source: 'known_model' })
  await server?.close()
  server = undefined
  expect(await opened.of('some-model', null)).toMatchObject({ tokens: 128_000, source: 'default' })
})

test('keeps the last value of a server that does not respond', async () => {
  const opened = await open({ 'GET /v1/models': { data: [{ id: 'm', max_model_len: 4_096 }] } })
  await opened.of('m', null)
  await server?.close()
  server = undefined
  clock.advance(3_600_000)
  expect(await opened.of('m', null)).toMatchObject({ tokens: 4_096, source: 'model_list' })
})
