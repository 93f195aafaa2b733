// A message of Anthropic's Messages API as a chat completion. Pure.
import { isRecord } from '../relay/usage.ts'
import { thoughtPiece } from './thought-blocks.ts'

/** What every chunk of one answer, or the whole of it, begins with. */
export interface ChatHead {
  readonly id: string
  readonly created: number
  readonly model: string
}

type Fields = Readonly<Record<string, unknown>>

export function chatHead(message: Fields, created: number): ChatHead {
  return { id: text(message.id), created, model: text(message.model) }
}

export function chatReply(message: Fields, created: number): object {
  const blocks = Array.isArray(message.content) ? message.content.filter(isRecord) : []
  const said = (type: string, field: string) =>
    blocks
      .filter((block) => block.type === type)
      .map((block) => text(block[field]))
      .join('')
  const tool_calls = blocks.flatMap(({ type, id, name, input }) =>
    type === 'tool_use' ? [{ id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } }] : [],
  )
  const thoughts = blocks.map(thoughtPiece).filter((piece) => piece !== undefined)
  const thinking = said('thinking', 'thinking')
  return {
    ...chatHead(message, created),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said('text', 'text') || null,
          refusal: null,
          ...(thinking === '' ? {} : { reasoning_content: thinking }),
          ...(thoughts.length > 0 ? { thinking_blocks: thoughts } : {}),
          ...(tool_calls.length > 0 ? { tool_calls } : {}),
        },
        logprobs: null,
        finish_reason: finishReason(message.stop_reason),
      },
    ],
    ...(isRecord(message.usage) ? { usage: chatUsage(message.usage) } : {}),
  }
}

const finishReasons: Readonly<Record<string, string | undefined>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

export function finishReason(stop_reason: unknown): string {
  return (typeof stop_reason === 'string' ? finishReasons[stop_reason] : undefined) ?? 'stop'
}

/** In a chat completion, tokens that were read from the cache or written to it are part of the input. */
export function chatUsage(usage: Fields): object {
  const cached_tokens = count(usage.cache_read_input_tokens)
  const prompt_tokens = count(usage.input_tokens) + cached_tokens + count(usage.cache_creation_input_tokens)
  const completion_tokens = count(usage.output_tokens)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, prompt_tokens_details: { cached_tokens } }
}

export function chatError(error: unknown): object {
  const { type, message } = isRecord(error) ? error : {}
  return {
    error: { message: text(message) || 'the model sent an error', type: text(type) || 'api_error', param: null, code: text(type) || null },
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
