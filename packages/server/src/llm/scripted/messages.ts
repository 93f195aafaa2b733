// Anthropic's messages.
import { field, list, type Message, type OfferedTool, positive, type ScriptedRequest, string, textOf } from './conversation.ts'
import { type Block, type CompleteBlock, type DialectWriter, type Dialogue, event, type ReplyHead } from './dialect-writer.ts'
import type { FinishReason, Usage } from './turn.ts'

export const messages: Dialogue = {
  read(body) {
    const given = field(body, 'messages')
    if (!Array.isArray(given) || given.length === 0) return { malformed: 'messages: at least one message is required' }
    return {
      messages: given.flatMap(message),
      tools: toolsOf(body),
      stream: field(body, 'stream') === true,
      include_usage: true,
      max_tokens: positive(field(body, 'max_tokens')),
    } satisfies ScriptedRequest
  },
  speak,
}

/** Results of tools are sent inside a message of the user. */
function message(one: unknown): Message[] {
  const content = field(one, 'content')
  const text = textOf(content)
  const blocks = list(content)
  if (field(one, 'role') === 'assistant') {
    const calls = blocks
      .filter((block) => field(block, 'type') === 'tool_use')
      .map((block) => ({
        id: string(field(block, 'id')),
        name: string(field(block, 'name')),
        arguments: JSON.stringify(field(block, 'input') ?? {}),
      }))
    return [{ role: 'assistant', text, calls }]
  }
  const results = blocks
    .filter((block) => field(block, 'type') === 'tool_result')
    .map((block): Message => {
      const result = textOf(field(block, 'content'))
      return { role: 'tool', call_id: string(field(block, 'tool_use_id')), text: result, failed: field(block, 'is_error') === true }
    })
  return text === '' && results.length > 0 ? results : [...results, { role: 'user', text }]
}

function toolsOf(body: unknown): OfferedTool[] {
  const choice = field(body, 'tool_choice')
  if (field(choice, 'type') === 'none') return []
  const forced = field(choice, 'name')
  return list(field(body, 'tools'))
    .map((tool) => ({ name: string(field(tool, 'name')), parameters: field(tool, 'input_schema') }))
    .filter(({ name }) => name !== '' && (forced === undefined || name === forced))
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const satisfies Record<FinishReason, string>

function speak(head: ReplyHead): DialectWriter {
  const common = { id: `msg_${head.seed}`, type: 'message', role: 'assistant', model: head.model }
  const say = (type: string, data: object) => event({ type, ...data }, type)
  const usageNow = (usage: Usage | undefined) => ({
    input_tokens: usage?.input_tokens ?? head.input_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage?.cached_input_tokens ?? 0,
    output_tokens: usage?.output_tokens ?? 0,
  })

  return {
    begin() {
      const usage = { ...usageNow(undefined), output_tokens: 1 }
      return say('message_start', { message: { ...common, content: [], stop_reason: null, stop_sequence: null, usage } })
    },
    open: (block, index) => say('content_block_start', { index, content_block: blockOf({ ...block, text: '' }) }),
    delta: (block, index, text) => say('content_block_delta', { index, delta: deltaOf(block, text) }),
    close(said, index) {
      const signature = { index, delta: { type: 'signature_delta', signature: 'scripted' } }
      return `${said.kind === 'thinking' ? say('content_block_delta', signature) : ''}${say('content_block_stop', { index })}`
    },
    end(_said, finish, usage) {
      const delta = { stop_reason: stopReasons[finish], stop_sequence: null }
      const told = usage ? { usage: usageNow(usage) } : {}
      return `${say('message_delta', { delta, ...told })}${say('message_stop', {})}`
    },
    whole: (said, finish, usage) => ({
      ...common,
      content: said.map(blockOf),
      stop_reason: stopReasons[finish],
      stop_sequence: null,
      ...(usage ? { usage: usageNow(usage) } : {}),
    }),
  }
}

function blockOf(said: CompleteBlock): object {
  if (said.kind === 'text') return { type: 'text', text: said.text }
  if (said.kind === 'thinking') return { type: 'thinking', thinking: said.text, signature: said.text === '' ? '' : 'scripted' }
  return { type: 'tool_use', id: said.id, name: said.call.name, input: said.text === '' ? {} : JSON.parse(said.text) }
}

function deltaOf(block: Block, text: string): object {
  if (block.kind === 'text') return { type: 'text_delta', text }
  if (block.kind === 'thinking') return { type: 'thinking_delta', thinking: text }
  return { type: 'input_json_delta', partial_json: text }
}
