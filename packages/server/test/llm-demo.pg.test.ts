// `demo/scripted` through the gateway, with the clients of both dialects: the first minutes of a new user.
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, type GatewayUser, startGateway } from './support/gateway.ts'

let gateway: Gateway
let user: GatewayUser

beforeAll(async () => {
  gateway = await startGateway()
  user = await gateway.user()
})
afterAll(() => gateway[Symbol.asyncDispose]())

const model = 'demo/scripted'
const text = { type: 'string' as const }
const shapes = {
  fs__write: { type: 'object' as const, properties: { path: text, content: text }, required: ['path', 'content'] },
  fs__read: { type: 'object' as const, properties: { path: text }, required: ['path'] },
}

/** Two tools on a file system that is a map. */
function desk() {
  const files = new Map<string, string>()
  const run = (name: string, { path, content = '' }: { path: string; content?: string }): string => {
    if (name === 'fs__read') return files.get(path) ?? 'Error: there is no such file'
    files.set(path, content)
    return `wrote ${content.length} characters`
  }
  return { files, run }
}

const wish = 'Please write "Hallo, then goodbye." to hallo.txt, then read hallo.txt'
const report = 'This is in hallo.txt:\n\n```\nHallo, then goodbye.\n```\n\nAll 2 steps are done.'

test("OpenAI's client runs the tools it asks for", async () => {
  const client = new OpenAI({ baseURL: gateway.url, apiKey: user.token, maxRetries: 0 })
  const { files, run } = desk()
  const tool = (name: keyof typeof shapes) => ({
    type: 'function' as const,
    function: {
      name,
      description: name,
      parameters: shapes[name],
      parse: (input: string): { path: string; content?: string } => JSON.parse(input),
      function: (input: { path: string; content?: string }) => run(name, input),
    },
  })
  const runner = client.chat.completions.runTools({
    model,
    messages: [{ role: 'user', content: wish }],
    stream: true,
    tools: [tool('fs__write'), tool('fs__read')],
  })
  expect(await runner.finalContent()).toBe(report)
  expect([...files]).toEqual([['hallo.txt', 'Hallo, then goodbye.']])
  expect(runner.messages[1]).toMatchObject({ content: expect.stringContaining('I am a scripted demo') })
})

test("Anthropic's client runs the tools it asks for", async () => {
  const client = new Anthropic({ baseURL: gateway.url, apiKey: user.token, maxRetries: 0 })
  const { files, run } = desk()
  const tools = Object.entries(shapes).map(([name, input_schema]) => ({ name, input_schema }))
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: wish }]
  for (;;) {
    const message = await client.messages.stream({ model, max_tokens: 1_000, messages, tools }).finalMessage()
    if (message.stop_reason !== 'tool_use') {
      expect(message.content).toEqual([{ type: 'text', text: report }])
      break
    }
    const content = message.content
      .filter((block) => block.type === 'tool_use')
      .map((block) => ({
        type: 'tool_result' as const,
        tool_use_id: block.id,
        content: run(block.name, block.input as { path: string; content?: string }),
      }))
    messages.push({ role: 'assistant', content: message.content }, { role: 'user', content })
  }
  expect([...files]).toEqual([['hallo.txt', 'Hallo, then goodbye.']])
  expect(await client.messages.countTokens({ model, messages })).toEqual({ input_tokens: expect.any(Number) })
})

test('responses are the same, streamed or not', async () => {
  const client = new OpenAI({ baseURL: gateway.url, apiKey: user.token, maxRetries: 0 })
  const whole = await client.responses.create({ model, input: 'Hello' })
  const streamed = await client.responses.stream({ model, input: 'Hello' }).finalResponse()
  expect(whole.output_text).toMatch(/^I am a scripted demo, not a language model/)
  expect(streamed.output_text).toBe(whole.output_text)
})

test('its calls are in the ledger like any others, with its own usage', async () => {
  const other = await gateway.user()
  const client = new OpenAI({ baseURL: gateway.url, apiKey: other.token, maxRetries: 0 })
  const { usage } = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] })
  expect(await gateway.ledger(other, 1)).toEqual([
    {
      operation: 'chat_completions',
      model,
      status: 200,
      input_tokens: usage?.prompt_tokens,
      cached_input_tokens: 0,
      output_tokens: usage?.completion_tokens,
      estimated: false,
      aborted: false,
      attempts: 1,
    },
  ])
})
