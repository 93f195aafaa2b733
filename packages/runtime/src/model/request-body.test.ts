import { expect, test } from 'vitest'
import { errorFacts } from './error-response.ts'
import type { ModelMessage, ModelTool } from './message.ts'
import { type OmissiblePart, refusedPart, requestBody } from './request-body.ts'

const tool: ModelTool = { type: 'function', function: { name: 'f', description: 'F.', parameters: {} } }
const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } } as const
const signed: ModelMessage[] = [
  { role: 'user', content: 'Go' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ ...call, provider_fields: { extra_content: { google: { thought_signature: 's' } } } }],
    provider_fields: { reasoning_content: '' },
  },
  { role: 'tool', tool_call_id: 'a', content: 'Done.' },
  { role: 'assistant', content: 'Yes.', provider_fields: { reasoning_content: 'long', reasoning_details: [{ data: 'x' }] } },
]
const sent = { model: 'm', messages: signed, tools: [tool], temperature: 0.5 }
const body = (...omitted: OmissiblePart[]) => JSON.parse(requestBody(sent, new Set(omitted)).toString())

test('provider fields are sent back where they came from; reasoning as text only with calls', () => {
  expect(body()).toEqual({
    model: 'm',
    messages: [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: '',
        tool_calls: [{ ...call, extra_content: { google: { thought_signature: 's' } } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Done.' },
      { role: 'assistant', content: 'Yes.', reasoning_details: [{ data: 'x' }] },
    ],
    temperature: 0.5,
    stream: true,
    stream_options: { include_usage: true },
    tools: [tool],
  })
})

test('leaves out what a server refuses', () => {
  const { messages, tools, ...rest } = body('stream_options', 'tools', 'provider_fields')
  expect([tools, rest]).toEqual([undefined, { model: 'm', temperature: 0.5, stream: true }])
  expect(messages).toEqual([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: '[Called f with {}]' },
    { role: 'user', content: 'Result of f:\nDone.' },
    { role: 'assistant', content: 'Yes.' },
  ])
  expect(body('stream')).toMatchObject({ stream: false })
  expect(body('stream').stream_options).toBeUndefined()
})

const message = (text: string, fields: object = {}) => ({ error: { message: text, ...fields } })

test.each<[string, number, unknown, OmissiblePart | null]>([
  ['OpenAI', 400, message("Unknown parameter: 'stream_options'.", { param: 'stream_options' }), 'stream_options'],
  ['Mistral', 422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }, 'stream_options'],
  ['Azure', 400, message('Unrecognized request argument supplied: stream_options'), 'stream_options'],
  ['a model that does not stream', 400, message('Streaming is not supported for this model', { param: null }), 'stream'],
  ['o1', 400, message("Unsupported value: 'stream' does not support true with this model.", { param: 'stream' }), 'stream'],
  ['Ollama', 400, message('registry.ollama.ai/library/gemma:2b does not support tools'), 'tools'],
  ['OpenRouter', 404, message('No endpoints found that support tool use.'), 'tools'],
  ['vLLM', 400, message('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'), 'tools'],
  ['Groq', 400, message("property 'reasoning_content' is unsupported"), 'provider_fields'],
  ['a tool with a wrong description', 400, message("Unknown parameter: 'tools[0].function.strict'.", { param: 'tools[0]' }), null],
  ['a wrong schema', 400, message("Invalid schema for function 'f'"), null],
  ['missing reasoning', 400, message('The reasoning_content in the thinking mode must be passed back to the API.'), null],
  ['another field', 400, message('temperature is not supported', { param: 'temperature' }), null],
  ['a rate limit', 429, message('Streaming is not supported right now'), null],
])('%s', (_name, status, answer, part) => {
  expect(refusedPart(status, errorFacts(answer), sent, new Set())).toBe(part)
  // Once it is left out, it cannot be the reason again.
  if (part) expect(refusedPart(status, errorFacts(answer), sent, new Set([part]))).toBeNull()
})
