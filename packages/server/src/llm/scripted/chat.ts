// OpenAI's chat completions.
import { field, list, looksFailed, type Message, type OfferedTool, positive, type ScriptedRequest, string, textOf } from './conversation.ts'
import { type Block, type CompleteBlock, type DialectWriter, type Dialogue, event, type ReplyHead, spoken } from './dialect-writer.ts'
import type { FinishReason, Usage } from './turn.ts'

export const chat: Dialogue = {
  read(body) {
    const messages = field(body, 'messages')
    if (!Array.isArray(messages) || messages.length === 0) return { malformed: "'messages' must be a list with at least one message" }
    return {
      messages: messages.flatMap(message),
      tools: toolsOf(body),
      stream: field(body, 'stream') === true,
      include_usage: field(field(body, 'stream_options'), 'include_usage') === true,
      max_tokens: positive(field(body, 'max_completion_tokens')) ?? positive(field(body, 'max_tokens')),
    } satisfies ScriptedRequest
  },
  speak,
}

function message(one: unknown): Message[] {
  const text = textOf(field(one, 'content'))
  switch (field(one, 'role')) {
    case 'user':
      return [{ role: 'user', text }]
    case 'assistant':
      return [{ role: 'assistant', text, calls: list(field(one, 'tool_calls')).map(callOf) }]
    case 'tool':
      return [{ role: 'tool', call_id: string(field(one, 'tool_call_id')), text, failed: looksFailed(text) }]
    default:
      return []
  }
}

function callOf(call: unknown) {
  const made = field(call, 'function')
  return { id: string(field(call, 'id')), name: string(field(made, 'name')), arguments: string(field(made, 'arguments')) }
}

function toolsOf(body: unknown): OfferedTool[] {
  const choice = field(body, 'tool_choice')
  if (choice === 'none') return []
  const forced = field(field(choice, 'function'), 'name')
  return list(field(body, 'tools'))
    .map((tool) => field(tool, 'function'))
    .map((made) => ({ name: string(field(made, 'name')), parameters: field(made, 'parameters') }))
    .filter(({ name }) => name !== '' && (forced === undefined || name === forced))
}

function speak(head: ReplyHead): DialectWriter {
  const common = { id: `chatcmpl-${head.seed}`, created: head.created, model: head.model }
  const chunk = (delta: object, finish_reason: FinishReason | null = null) =>
    event({ ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  let calls = 0

  return {
    begin: () => chunk({ role: 'assistant', content: '' }),
    open(block) {
      if (block.kind !== 'call') return ''
      const started = { index: calls, id: block.id, type: 'function', function: { name: block.call.name, arguments: '' } }
      calls += 1
      return chunk({ tool_calls: [started] })
    },
    delta(block, _index, text) {
      if (block.kind === 'text') return chunk({ content: text })
      if (block.kind === 'thinking') return chunk({ reasoning_content: text })
      return chunk({ tool_calls: [{ index: calls - 1, function: { arguments: text } }] })
    },
    close: () => '',
    end(_said, finish, usage) {
      const numbers = event({ ...common, object: 'chat.completion.chunk', choices: [], usage: usage && usageOf(usage) })
      return `${chunk({}, finish)}${usage && head.include_usage ? numbers : ''}data: [DONE]\n\n`
    },
    whole: (said, finish_reason, usage) => ({
      ...common,
      object: 'chat.completion',
      choices: [{ index: 0, message: messageOf(said), logprobs: null, finish_reason }],
      ...(usage ? { usage: usageOf(usage) } : {}),
    }),
  }
}

function messageOf(said: readonly CompleteBlock[]): object {
  const thinking = spoken(said, 'thinking')
  const tool_calls = said.filter((block): block is CompleteBlock & Extract<Block, { kind: 'call' }> => block.kind === 'call')
  return {
    role: 'assistant',
    content: spoken(said, 'text') || null,
    refusal: null,
    ...(thinking === '' ? {} : { reasoning_content: thinking }),
    ...(tool_calls.length === 0
      ? {}
      : { tool_calls: tool_calls.map(({ id, call, text }) => ({ id, type: 'function', function: { name: call.name, arguments: text } })) }),
  }
}

function usageOf({ input_tokens, cached_input_tokens, output_tokens }: Usage): object {
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: cached_input_tokens },
  }
}
