// A chat completion as a request of Anthropic's Messages API. Pure. What that API does not have is left out, or refused if that would
// change the meaning.
import { isRecord, parseJson } from '../relay/usage.ts'
import { type ContentBlock, contentBlocks, textBlock } from './content-blocks.ts'
import { withThoughts } from './thought-blocks.ts'
import { UntranslatableError } from './untranslatable.ts'

export type Translated =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly param: string; readonly message: string }

interface WireMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlock[]
}

/** `max_tokens` is used if the caller sets no limit: the Messages API requires one. */
export function messagesRequest(chat: Buffer, max_tokens: number): Translated {
  const asked = parseJson(chat.toString('utf8'))
  if (!isRecord(asked)) return { ok: false, param: '', message: 'the request must be a JSON object' }
  try {
    return { ok: true, body: Buffer.from(JSON.stringify(translated(asked, max_tokens))) }
  } catch (error) {
    if (error instanceof UntranslatableError) return { ok: false, param: error.param, message: error.message }
    throw error
  }
}

type Fields = Readonly<Record<string, unknown>>

function translated(asked: Fields, max_tokens: number): object {
  if (typeof asked.n === 'number' && asked.n > 1) throw new UntranslatableError('n', 'This model gives one answer per request. Set n to 1.')
  const { system, messages } = conversation(listOf(asked.messages))
  const tools = toolsOf(asked, messages)
  const own = listOf(asked.tools).length > 0
  // Only an agent sends the same beginning again and again; elsewhere, writing it to the cache costs more than it saves.
  if (own) for (const blocks of [system, messages.at(-1)?.content]) markForCache(blocks)
  const limit = [asked.max_completion_tokens, asked.max_tokens].find(isLimit)
  const stop_sequences = [asked.stop].flat().filter((text) => typeof text === 'string' && text.trim() !== '')
  const format = formatOf(asked.response_format)
  return {
    model: asked.model,
    max_tokens: limit ?? max_tokens,
    ...(system.length > 0 ? { system } : {}),
    messages,
    ...(tools.length > 0 ? { tools, tool_choice: own ? choiceOf(asked) : { type: 'none' } } : {}),
    ...(stop_sequences.length > 0 ? { stop_sequences } : {}),
    ...(isRecord(asked.thinking) ? { thinking: asked.thinking } : {}),
    ...(format ? { output_config: { format } } : {}),
    ...(asked.stream === true ? { stream: true } : {}),
  }
}

function conversation(given: readonly unknown[]): { system: ContentBlock[]; messages: WireMessage[] } {
  const system: ContentBlock[] = []
  const messages: WireMessage[] = []
  const ids = callIds()
  const add = (role: WireMessage['role'], blocks: readonly ContentBlock[]) => {
    const last = messages.at(-1)
    // Roles alternate, and all results of a turn are in the one message that follows it.
    if (last?.role === role) last.content.push(...blocks)
    else if (blocks.length > 0) messages.push({ role, content: [...blocks] })
  }
  for (const [index, one] of given.entries()) {
    const message = isRecord(one) ? one : {}
    const param = `messages.${index}`
    const blocks = contentBlocks(message.content, param)
    switch (message.role) {
      case 'system':
      case 'developer':
        // Instructions that come later stay where they are: moved to the front, they would be read too early.
        if (messages.length === 0) system.push(...blocks)
        else add('user', blocks)
        break
      case 'user':
        add('user', blocks)
        break
      case 'assistant':
        add(
          'assistant',
          withThoughts(message.thinking_blocks, [...blocks, ...listOf(message.tool_calls).map((call) => toolUse(call, ids))]),
        )
        break
      case 'tool':
        add('user', [{ type: 'tool_result', tool_use_id: ids.of(message.tool_call_id), ...(blocks.length > 0 ? { content: blocks } : {}) }])
        break
      default:
        throw new UntranslatableError(`${param}.role`, `The role of message ${index + 1} must be system, user, assistant or tool.`)
    }
  }
  if (messages.length === 0) throw new UntranslatableError('messages', 'Add at least one message of the user with a text.')
  // The API begins with the user.
  if (messages[0]?.role === 'assistant') messages.unshift({ role: 'user', content: [textBlock('Continue.')] })
  return { system, messages: messages.map(resultsFirst) }
}

/** The API refuses a message in which a text precedes the results of calls. */
function resultsFirst(message: WireMessage): WireMessage {
  const results = message.content.filter(({ type }) => type === 'tool_result')
  if (results.length === 0) return message
  return { ...message, content: [...results, ...message.content.filter(({ type }) => type !== 'tool_result')] }
}

interface CallIds {
  /** For a call of the model. */
  next(id: unknown): string
  /** For its result. */
  of(id: unknown): string
}

/** The API allows few characters in an id and each id once; those of other providers may be different. */
function callIds(): CallIds {
  const given = new Map<unknown, string>()
  const used = new Set<string>()
  return {
    next(id) {
      let own = typeof id === 'string' ? id.replace(/[^A-Za-z0-9_-]/g, '_') : ''
      while (own === '' || used.has(own)) own = `${own === '' ? 'call' : own}_`
      used.add(own)
      given.set(id, own)
      return own
    },
    of: (id) => given.get(id) ?? (typeof id === 'string' ? id.replace(/[^A-Za-z0-9_-]/g, '_') : ''),
  }
}

function toolUse(call: unknown, ids: CallIds): ContentBlock {
  const { id, function: called } = isRecord(call) ? call : {}
  const { name, arguments: text } = isRecord(called) ? called : {}
  const input = typeof text === 'string' ? parseJson(text.trim() === '' ? '{}' : text) : text
  // Malformed arguments stay visible to the model, so that it can correct them.
  return {
    type: 'tool_use',
    id: ids.next(id),
    name: String(name ?? ''),
    input: isRecord(input) ? input : { malformed_arguments: text ?? '' },
  }
}

/** Without tools of its own, a conversation that used some names them again: the API refuses calls of tools it does not know. */
function toolsOf(asked: Fields, messages: readonly WireMessage[]): object[] {
  const given = listOf(asked.tools).map((tool, index) => toolOf(tool, index))
  if (given.length > 0) return given
  const names = messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [String(block.name)] : [])))
  return [...new Set(names)].map((name) => ({ name, input_schema: { type: 'object' } }))
}

function toolOf(tool: unknown, index: number): object {
  const called = isRecord(tool) && tool.type !== 'custom' ? tool.function : undefined
  if (!isRecord(called) || typeof called.name !== 'string') {
    throw new UntranslatableError(`tools.${index}`, `Tool ${index + 1} must be a function with a name.`)
  }
  const { name, description, parameters } = called
  // These keywords are not allowed at the top of a schema. The caller checks the arguments anyway.
  const { anyOf: _any, oneOf: _one, allOf: _all, ...schema } = isRecord(parameters) ? parameters : {}
  return { name, ...(typeof description === 'string' ? { description } : {}), input_schema: { ...schema, type: 'object' } }
}

function choiceOf({ tool_choice: choice, parallel_tool_calls }: Fields): object {
  const one = parallel_tool_calls === false ? { disable_parallel_tool_use: true } : {}
  if (choice === 'none') return { type: 'none' }
  if (choice === 'required') return { type: 'any', ...one }
  const name = isRecord(choice) && isRecord(choice.function) ? choice.function.name : undefined
  return typeof name === 'string' ? { type: 'tool', name, ...one } : { type: 'auto', ...one }
}

function formatOf(format: unknown): object | undefined {
  const named = isRecord(format) && format.type === 'json_schema' ? format.json_schema : undefined
  return isRecord(named) && isRecord(named.schema) ? { type: 'json_schema', schema: named.schema } : undefined
}

/** Everything up to the last block that may be marked is read from the cache by the next request. */
function markForCache(blocks: ContentBlock[] | undefined): void {
  const at = blocks?.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking') ?? -1
  const last = blocks?.[at]
  if (blocks && last) blocks[at] = { ...last, cache_control: { type: 'ephemeral' } }
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
