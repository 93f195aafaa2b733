// What a provider adds to a turn and wants back with the next request: DeepSeek's `reasoning_content`, Google's thought signatures in
// `extra_content`, OpenRouter's `reasoning_details`, LiteLLM's `thinking_blocks`, and whatever comes next. Pure: kept as they came.
import type { ProviderFields } from './message.ts'

/** What the API itself defines, or only says of an answer. Everything else of a message belongs to its provider. */
const ownOfMessage = new Set(['role', 'content', 'refusal', 'tool_calls', 'function_call', 'annotations', 'audio', 'name', 'images'])
const ownOfCall = new Set(['index', 'id', 'type', 'function'])

export function messageFields(delta: Record<string, unknown>): ProviderFields {
  return others(delta, ownOfMessage)
}

export function callFields(piece: Record<string, unknown>): ProviderFields {
  return others(piece, ownOfCall)
}

function others(from: Record<string, unknown>, own: ReadonlySet<string>): ProviderFields {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !own.has(key)))
}

/** Texts that come piece by piece. Other texts (types, ids, signatures) come whole, and the last one counts. */
const growing = new Set(['reasoning_content', 'reasoning', 'thinking', 'text', 'summary', 'data', 'content'])

/** What is known so far with what the next chunk brings. */
export function mergedFields(known: ProviderFields, piece: ProviderFields): ProviderFields {
  return Object.fromEntries(
    [...new Set([...Object.keys(known), ...Object.keys(piece)])].map((key) => [key, merged(key, known[key], piece[key])]),
  )
}

function merged(key: string, known: unknown, piece: unknown): unknown {
  // An empty reasoning is still one: DeepSeek wants the field back also when it is empty.
  if (known === undefined || known === null) return piece === undefined ? known : piece
  if (piece === undefined || piece === null) return known
  if (typeof known === 'string' && typeof piece === 'string') return growing.has(key) ? known + piece : piece || known
  if (Array.isArray(known) && Array.isArray(piece)) return piece.reduce<readonly unknown[]>(withItem, known)
  if (isObject(known) && isObject(piece)) return mergedFields(known, piece)
  return piece
}

/** Pieces of one item have its index; an item without one is whole. */
function withItem(items: readonly unknown[], piece: unknown): readonly unknown[] {
  const at = isObject(piece) && typeof piece.index === 'number' ? items.findIndex((item) => isPieceOf(item, piece)) : -1
  return at === -1 ? [...items, piece] : items.map((item, index) => (index === at ? merged('', item, piece) : item))
}

function isPieceOf(item: unknown, piece: Record<string, unknown>): boolean {
  return isObject(item) && item.index === piece.index && (piece.type === undefined || item.type === piece.type)
}

const reasoningTexts = new Set(['reasoning_content', 'reasoning'])

/** Reasoning in words is needed again only by a turn that goes on: one with calls. */
export function fieldsToSend(fields: ProviderFields, hasCalls: boolean): ProviderFields {
  return hasCalls ? fields : Object.fromEntries(Object.entries(fields).filter(([key]) => !reasoningTexts.has(key)))
}

/** More than this of one turn is not kept: a journal is no place for it. */
const mostCharacters = 2_000_000

/** Undefined when there is nothing to keep. A field without a value says nothing, but for reasoning: there it is an empty one. */
export function fieldsToKeep(fields: ProviderFields): ProviderFields | undefined {
  const kept = Object.entries(fields).flatMap(([key, value]) => {
    if (reasoningTexts.has(key)) return [[key, value ?? ''] as const]
    return value === null || value === undefined ? [] : [[key, value] as const]
  })
  if (kept.length === 0) return undefined
  const whole = Object.fromEntries(kept)
  return JSON.stringify(whole).length <= mostCharacters ? whole : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
