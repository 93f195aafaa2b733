// What real providers send, as text: the events and bodies of OpenAI's and Anthropic's APIs, with their variations.

export interface ModelAnswer {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  /** `null`: not reported by the provider. */
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number } | null
  readonly finish_reason?: 'stop' | 'length' | 'tool_calls'
}

export const greeting = 'Grüße, 世界 👋🏽!'
const plainUsage = { input: 21, cached: 8, output: 13 }

const created = 1_790_000_000
const messageStops = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const

interface Full {
  readonly text: string
  readonly calls: NonNullable<ModelAnswer['calls']>
  readonly usage: NonNullable<ModelAnswer['usage']> | null
  readonly finish: 'stop' | 'length' | 'tool_calls'
}

function full(answer: ModelAnswer): Full {
  const calls = answer.calls ?? []
  return {
    text: answer.text ?? (calls.length > 0 ? '' : greeting),
    calls,
    usage: answer.usage === undefined ? plainUsage : answer.usage,
    finish: answer.finish_reason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
  }
}

/** In pieces as small as two characters, which no decoder may rely on. */
function pieces(text: string): string[] {
  const characters = [...text]
  return Array.from({ length: Math.ceil(characters.length / 2) }, (_, index) => characters.slice(index * 2, index * 2 + 2).join(''))
}

export function chatEvents(model: string, answer: ModelAnswer = {}, includeUsage = true): string[] {
  const { text, calls, usage, finish } = full(answer)
  const say = (delta: object | null, finish_reason: string | null = null, extra: object = {}) => {
    const choices = delta === null ? [] : [{ index: 0, delta, logprobs: null, finish_reason }]
    const head = {
      id: 'chatcmpl-real',
      object: 'chat.completion.chunk',
      created,
      model,
      service_tier: 'default',
      system_fingerprint: 'fp_1',
    }
    return `data: ${JSON.stringify({ ...head, choices, ...extra, obfuscation: 'x1y2' })}\n\n`
  }
  const opened = calls.map(({ id, name }, index) =>
    say({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
  )
  // Several calls at once: their fragments are interleaved.
  const fragments = calls.map((call) => pieces(call.arguments))
  const longest = Math.max(0, ...fragments.map(({ length }) => length))
  const mixed = Array.from({ length: longest }, (_, turn) =>
    fragments.flatMap((own, index) => {
      const piece = own[turn]
      return piece === undefined ? [] : [say({ tool_calls: [{ index, function: { arguments: piece } }] })]
    }),
  ).flat()
  return [
    say({ role: 'assistant', content: text === '' ? null : '', refusal: null }),
    ...pieces(text).map((content) => say({ content })),
    ...opened,
    ...mixed,
    say({}, finish),
    ...(usage && includeUsage ? [say(null, null, { usage: openAiUsage(usage) })] : []),
    'data: [DONE]\n\n',
  ]
}

export function chatBody(model: string, answer: ModelAnswer = {}): object {
  const { text, calls, usage, finish } = full(answer)
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({ id, type: 'function', function: { name, arguments: args } }))
  const message = { role: 'assistant', content: text || null, refusal: null, annotations: [], ...(calls.length > 0 ? { tool_calls } : {}) }
  return {
    id: 'chatcmpl-real',
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    ...(usage ? { usage: openAiUsage(usage) } : {}),
    service_tier: 'default',
  }
}

export function responsesEvents(model: string, answer: ModelAnswer = {}): string[] {
  const { text, calls, usage, finish } = full(answer)
  let sequence_number = -1
  const say = (type: string, data: object) => {
    sequence_number += 1
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`
  }
  const began = { ...responsesBody(model, { text: '', calls: [], usage: null }), status: 'in_progress' }
  const output = responsesOutput({ text, calls, usage, finish })
  const status = finish === 'length' ? 'incomplete' : 'completed'
  const items = output.flatMap((item, output_index) => {
    const item_id = item.id
    if ('content' in item) {
      const place = { item_id, output_index, content_index: 0 }
      const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
      return [
        say('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', content: [] } }),
        say('response.content_part.added', { ...place, part }),
        ...pieces(text).map((delta) => say('response.output_text.delta', { ...place, delta, logprobs: [], obfuscation: 'abc' })),
        say('response.output_text.done', { ...place, text, logprobs: [] }),
        say('response.content_part.done', { ...place, part: { ...part, text } }),
        say('response.output_item.done', { output_index, item }),
      ]
    }
    return [
      say('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } }),
      ...pieces(item.arguments).map((delta) => say('response.function_call_arguments.delta', { item_id, output_index, delta })),
      say('response.function_call_arguments.done', { item_id, output_index, name: item.name, arguments: item.arguments }),
      say('response.output_item.done', { output_index, item }),
    ]
  })
  return [
    say('response.created', { response: began }),
    say('response.in_progress', { response: began }),
    ...items,
    say(`response.${status}`, { response: responsesBody(model, answer) }),
  ]
}

export function responsesBody(model: string, answer: ModelAnswer = {}): object {
  const whole = full(answer)
  return {
    id: 'resp_real',
    object: 'response',
    created_at: created,
    status: whole.finish === 'length' ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: whole.finish === 'length' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    model,
    output: responsesOutput(whole),
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: whole.usage && {
      input_tokens: whole.usage.input,
      input_tokens_details: { cached_tokens: whole.usage.cached },
      output_tokens: whole.usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: whole.usage.input + whole.usage.output,
    },
  }
}

function responsesOutput({ text, calls }: Full) {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  return [
    ...(text === '' ? [] : [{ id: 'msg_real', type: 'message', role: 'assistant', status: 'completed', content }]),
    ...calls.map(({ id, ...call }) => ({ id: `fc_${id}`, type: 'function_call', call_id: id, status: 'completed', ...call })),
  ]
}

export function messageEvents(model: string, answer: ModelAnswer = {}): string[] {
  const { text, calls, usage, finish } = full(answer)
  const say = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const block = (index: number, content_block: object, deltas: readonly object[]) => [
    say('content_block_start', { index, content_block }),
    ...deltas.map((delta) => say('content_block_delta', { index, delta })),
    say('content_block_stop', { index }),
  ]
  const first = text === '' ? 0 : 1
  const began = { id: 'msg_real', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null }
  return [
    say('message_start', { message: { ...began, ...(usage ? { usage: { ...anthropicUsage(usage), output_tokens: 1 } } : {}) } }),
    'event: ping\ndata: {"type": "ping"}\n\n',
    ...(text === ''
      ? []
      : block(
          0,
          { type: 'text', text: '' },
          pieces(text).map((one) => ({ type: 'text_delta', text: one })),
        )),
    ...calls.flatMap(({ id, name, arguments: args }, index) => {
      const deltas = ['', ...pieces(args)].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      return block(first + index, { type: 'tool_use', id, name, input: {} }, deltas)
    }),
    say('message_delta', {
      delta: { stop_reason: messageStops[finish], stop_sequence: null },
      ...(usage ? { usage: { output_tokens: usage.output } } : {}),
    }),
    say('message_stop', {}),
  ]
}

export function messageBody(model: string, answer: ModelAnswer = {}): object {
  const { text, calls, usage, finish } = full(answer)
  return {
    id: 'msg_real',
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, arguments: args }) => ({ type: 'tool_use', id, name, input: JSON.parse(args) })),
    ],
    stop_reason: messageStops[finish],
    stop_sequence: null,
    ...(usage ? { usage: anthropicUsage(usage) } : {}),
  }
}

function openAiUsage({ input, cached, output }: NonNullable<ModelAnswer['usage']>): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}

/** Cached tokens are not included in the input tokens there. */
function anthropicUsage({ input, cached, output }: NonNullable<ModelAnswer['usage']>): object {
  return { input_tokens: input - cached, cache_creation_input_tokens: 0, cache_read_input_tokens: cached, output_tokens: output }
}
