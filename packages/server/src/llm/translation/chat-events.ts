// A stream of Anthropic's Messages API as the stream of a chat completion, event by event. Pure; the bytes may be split anywhere.
import { isRecord, parseJson } from '../relay/usage.ts'
import { type ChatHead, chatError, chatHead, chatUsage, finishReason } from './chat-reply.ts'
import { thoughtPiece } from './thought-blocks.ts'

export interface ChatEvents {
  /** The events that are complete after `chunk`, translated. */
  push(chunk: Buffer): string
  /** The last event, if no blank line follows it. */
  end(): string
  /** Characters of an event that is not complete yet. */
  readonly pending: number
}

type Fields = Readonly<Record<string, unknown>>

export function chatEvents(created: number): ChatEvents {
  const decoder = new TextDecoder()
  let rest = ''
  let head: ChatHead = { id: '', created, model: '' }
  let usage: Fields = {}
  let finished = false
  /** The calls of the turn by the index of their block, with how many arguments have arrived. */
  const calls = new Map<unknown, { readonly place: number; length: number }>()

  const chunk = (choices: readonly object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const say = (delta: object, finish_reason: string | null = null) => chunk([{ index: 0, delta, logprobs: null, finish_reason }])
  const grow = (index: unknown, text: string) => {
    const call = calls.get(index)
    if (!call || text === '') return ''
    call.length += text.length
    return say({ tool_calls: [{ index: call.place, function: { arguments: text } }] })
  }

  function begin(index: unknown, block: Fields): string {
    if (block.type === 'text') return typeof block.text === 'string' && block.text !== '' ? say({ content: block.text }) : ''
    if (block.type === 'tool_use') {
      calls.set(index, { place: calls.size, length: 0 })
      const opened = say({
        tool_calls: [{ index: calls.size - 1, id: block.id, type: 'function', function: { name: block.name, arguments: '' } }],
      })
      const whole = isRecord(block.input) && Object.keys(block.input).length > 0
      return opened + (whole ? grow(index, JSON.stringify(block.input)) : '')
    }
    const thought = typeof index === 'number' ? thoughtPiece(block, index) : undefined
    return thought ? say({ thinking_blocks: [thought] }) : ''
  }

  function add(index: unknown, delta: Fields): string {
    switch (delta.type) {
      case 'text_delta':
        return say({ content: delta.text })
      case 'input_json_delta':
        return grow(index, typeof delta.partial_json === 'string' ? delta.partial_json : '')
      case 'thinking_delta':
        return say({ reasoning_content: delta.thinking, thinking_blocks: [{ index, thinking: delta.thinking }] })
      case 'signature_delta':
        return say({ thinking_blocks: [{ index, signature: delta.signature }] })
      default:
        return ''
    }
  }

  function end(delta: unknown, counted: unknown): string {
    if (isRecord(counted)) usage = { ...usage, ...known(counted) }
    const reason = isRecord(delta) ? delta.stop_reason : undefined
    const ended = typeof reason === 'string' && !finished ? say({}, finishReason(reason)) : ''
    finished ||= ended !== ''
    return ended + (finished && Object.keys(usage).length > 0 ? chunk([], { usage: chatUsage(usage) }) : '')
  }

  function translated(event: Fields): string {
    switch (event.type) {
      case 'message_start': {
        const message = isRecord(event.message) ? event.message : {}
        head = chatHead(message, created)
        usage = isRecord(message.usage) ? known(message.usage) : {}
        return say({ role: 'assistant', content: '' })
      }
      case 'content_block_start':
        return begin(event.index, isRecord(event.content_block) ? event.content_block : {})
      case 'content_block_delta':
        return add(event.index, isRecord(event.delta) ? event.delta : {})
      case 'content_block_stop':
        // A call without arguments has no pieces; its arguments are still an object.
        return calls.get(event.index)?.length === 0 ? grow(event.index, '{}') : ''
      case 'message_delta':
        return end(event.delta, event.usage)
      case 'message_stop':
        return 'data: [DONE]\n\n'
      case 'error':
        return `data: ${JSON.stringify(chatError(event.error))}\n\n`
      case 'ping':
        // Shows that the provider is still there.
        return ': ping\n\n'
      default:
        return ''
    }
  }

  function read(blocks: readonly string[]): string {
    let out = ''
    for (const block of blocks) {
      const event = parseJson(dataOf(block))
      if (isRecord(event)) out += translated(event)
    }
    return out
  }

  return {
    push(bytes) {
      rest += decoder.decode(bytes, { stream: true })
      // A CR at the end may be the first half of a line end.
      const ready = rest.endsWith('\r') ? rest.slice(0, -1) : rest
      const blocks = ready.split(/\r\n\r\n|\n\n|\r\r/)
      rest = (blocks.pop() ?? '') + rest.slice(ready.length)
      return read(blocks)
    },
    end: () => read([rest]),
    get pending() {
      return rest.length
    },
  }
}

function dataOf(block: string): string {
  return block
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
    .join('\n')
}

/** Counts that a later event repeats as null are known already. */
function known(counted: Fields): Fields {
  return Object.fromEntries(Object.entries(counted).filter(([, value]) => value !== null && value !== undefined))
}
