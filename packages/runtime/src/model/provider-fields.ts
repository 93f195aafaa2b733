// What a provider adds to a turn and expects back with the next request: DeepSeek's `reasoning_content`, Google's thought signatures in
// `extra_content`, OpenRouter's `reasoning_details`, LiteLLM's `thinking_blocks`, and others. Pure: they are kept unchanged.
import type { ProviderFields } from './message.ts'

/** Fields that the API itself defines, or that only describe a response. All other fields of a message belong to its provider. */
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

/** Texts that are streamed in pieces. Other texts (types, ids, signatures) are complete, and the last one is used. */
const growing = new Set(['reasoning_content', 'reasoning', 'thinking', 'text', 'summary', 'data', 'content'])

/** The fields so far, merged with those of the next chunk. */
export function mergedFields(known: ProviderFields, piece: ProviderFields): ProviderFields {
  return Object.fromEntries(
    [...new Set([...Object.keys(known), ...Object.keys(piece)])].map((key) => [key, merged(key, known[key], piece[key])]),
  )
}

function merged(key: string, known: unknown, piece: unknown): unknown {
  // An empty reasoning counts: DeepSeek requires the field even if it is empty.
  if (known === undefined || known === null) return piece === undefined ? known : piece
  if (piece === undefined || piece === null) return known
  if (typeof known === 'string' && typeof piece === 'string') return growing.has(key) ? known + piece : piece || known
  if (Array.isArray(known) && Array.isArray(piece)) return piece.reduce<readonly unknown[]>(withItem, known)
  if (isObject(known) && isObject(piece)) return mergedFields(known, piece)
  return piece
}

/** Pieces of one item have its index; an item without one is complete. */
function withItem(items: readonly unknown[], piece: unknown): readonly unknown[] {
  const at = isObject(piece) && typeof piece.index === 'number' ? items.findIndex((item) => isPieceOf(item, piece)) : -1
  return at === -1 ? [...items, piece] : items.map((item, index) => (index === at ? merged('', item, piece) : item))
}

function isPieceOf(item: unknown, piece: Record<string, unknown>): boolean {
  return isObject(item) && item.index === piece.index && (piece.type === undefined || item.type === piece.type)
}

const reasoningTexts = new Set(['reasoning_content', 'reasoning'])

/** Reasoning as text is only needed again by a turn that continues: one with calls. */
export function fieldsToSend(fields: ProviderFields, hasCalls: boolean): ProviderFields {
  return hasCalls ? fields : Object.fromEntries(Object.entries(fields).filter(([key]) => !reasoningTexts.has(key)))
}

/** Larger fields of one turn are not stored in the journal. */
const mostCharacters = 2_000_000

/** Undefined if there is nothing to keep. A field without a value is dropped, except for reasoning: there it means an empty one. */
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
