// OpenAI's responses.
import { field, list, looksFailed, type Message, type OfferedTool, positive, type ScriptedRequest, string, textOf } from './conversation.ts'
import { type CompleteBlock, type DialectWriter, type Dialogue, event, type ReplyHead } from './dialect-writer.ts'
import type { FinishReason, Usage } from './turn.ts'

export const responses: Dialogue = {
  read(body) {
    const input = field(body, 'input')
    if (typeof input !== 'string' && !Array.isArray(input)) return { malformed: "'input' must be a string or a list of items" }
    return {
      messages: typeof input === 'string' ? [{ role: 'user', text: input }] : input.flatMap(item),
      tools: toolsOf(body),
      stream: field(body, 'stream') === true,
      include_usage: true,
      max_tokens: positive(field(body, 'max_output_tokens')),
    } satisfies ScriptedRequest
  },
  speak,
}

function item(one: unknown): Message[] {
  const type = field(one, 'type') ?? 'message'
  const id = string(field(one, 'call_id'))
  if (type === 'function_call') {
    const call = { id, name: string(field(one, 'name')), arguments: string(field(one, 'arguments')) }
    return [{ role: 'assistant', text: '', calls: [call] }]
  }
  if (type === 'function_call_output') {
    const text = textOf(field(one, 'output'))
    return [{ role: 'tool', call_id: id, text, failed: looksFailed(text) }]
  }
  if (type !== 'message') return []
  const text = textOf(field(one, 'content'))
  if (field(one, 'role') === 'user') return [{ role: 'user', text }]
  return field(one, 'role') === 'assistant' ? [{ role: 'assistant', text, calls: [] }] : []
}

function toolsOf(body: unknown): OfferedTool[] {
  const choice = field(body, 'tool_choice')
  if (choice === 'none') return []
  const forced = field(choice, 'name')
  return list(field(body, 'tools'))
    .filter((tool) => field(tool, 'type') === 'function')
    .map((tool) => ({ name: string(field(tool, 'name')), parameters: field(tool, 'parameters') }))
    .filter(({ name }) => name !== '' && (forced === undefined || name === forced))
}

function speak(head: ReplyHead): DialectWriter {
  let sequence_number = 0
  const say = (type: string, data: object) => {
    const text = event({ type, sequence_number, ...data }, type)
    sequence_number += 1
    return text
  }
  const response = (said: readonly CompleteBlock[], status: string, finish?: FinishReason, usage?: Usage) => ({
    id: `resp_${head.seed}`,
    object: 'response',
    created_at: head.created,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
    instructions: null,
    model: head.model,
    output: said.map((block, index) => itemOf(head, block, index, 'completed')),
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    metadata: {},
    usage: usage ? usageOf(usage) : null,
  })
  const ending = (finish: FinishReason) => (finish === 'stop' || finish === 'tool_calls' ? 'completed' : 'incomplete')

  return {
    begin: () =>
      say('response.created', { response: response([], 'in_progress') }) +
      say('response.in_progress', { response: response([], 'in_progress') }),
    open(block, index) {
      const added = { ...block, text: '' }
      const item = say('response.output_item.added', { output_index: index, item: itemOf(head, added, index, 'in_progress') })
      const place = { item_id: itemId(head, added, index), output_index: index }
      if (block.kind === 'text') return item + say('response.content_part.added', { ...place, content_index: 0, part: textPart('') })
      if (block.kind === 'call') return item
      return item + say('response.reasoning_summary_part.added', { ...place, summary_index: 0, part: summaryPart('') })
    },
    delta(block, index, delta) {
      const place = { item_id: itemId(head, { ...block, text: '' }, index), output_index: index, delta }
      if (block.kind === 'text') return say('response.output_text.delta', { ...place, content_index: 0, logprobs: [] })
      if (block.kind === 'call') return say('response.function_call_arguments.delta', place)
      return say('response.reasoning_summary_text.delta', { ...place, summary_index: 0 })
    },
    close(said, index) {
      const place = { item_id: itemId(head, said, index), output_index: index }
      const { text } = said
      const done = () => say('response.output_item.done', { output_index: index, item: itemOf(head, said, index, 'completed') })
      if (said.kind === 'call')
        return say('response.function_call_arguments.done', { ...place, name: said.call.name, arguments: text }) + done()
      if (said.kind === 'thinking') {
        const summary = { ...place, summary_index: 0 }
        const ended = say('response.reasoning_summary_text.done', { ...summary, text })
        return ended + say('response.reasoning_summary_part.done', { ...summary, part: summaryPart(text) }) + done()
      }
      const content = { ...place, content_index: 0 }
      const ended = say('response.output_text.done', { ...content, text, logprobs: [] })
      return ended + say('response.content_part.done', { ...content, part: textPart(text) }) + done()
    },
    end(said, finish, usage) {
      const status = ending(finish)
      return say(`response.${status}`, { response: response(said, status, finish, usage) })
    },
    whole: (said, finish, usage) => response(said, ending(finish), finish, usage),
  }
}

function itemOf(head: ReplyHead, said: CompleteBlock, index: number, status: string): object {
  const id = itemId(head, said, index)
  if (said.kind === 'call') return { id, type: 'function_call', call_id: said.id, name: said.call.name, arguments: said.text, status }
  if (said.kind === 'thinking') return { id, type: 'reasoning', summary: said.text === '' ? [] : [summaryPart(said.text)] }
  return { id, type: 'message', role: 'assistant', status, content: said.text === '' ? [] : [textPart(said.text)] }
}

function itemId(head: ReplyHead, { kind }: CompleteBlock, index: number): string {
  return `${{ text: 'msg', thinking: 'rs', call: 'fc' }[kind]}_${head.seed}_${index}`
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function summaryPart(text: string): object {
  return { type: 'summary_text', text }
}

function usageOf({ input_tokens, cached_input_tokens, output_tokens }: Usage): object {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cached_input_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  }
}
