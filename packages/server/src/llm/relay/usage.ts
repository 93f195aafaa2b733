// What a reply says it cost. Every dialect has its own words for the same three numbers. Pure.
import type { CallUsage } from '../meter.ts'
import type { Operation } from '../upstream.ts'

/** What has been told so far; a stream tells it in parts. */
export interface UsageSeen {
  readonly input_tokens?: number
  readonly cached_input_tokens?: number
  readonly output_tokens?: number
}

/** `told` is a usage object of any dialect. */
function usageIn(told: unknown): UsageSeen {
  if (!isRecord(told)) return {}
  const read = count(told.cache_read_input_tokens)
  // Anthropic counts what it cached beside the input; the others count it in.
  const beside = (read ?? 0) + (count(told.cache_creation_input_tokens) ?? 0)
  const input = count(told.prompt_tokens) ?? count(told.input_tokens)
  const cached = read ?? detail(told.prompt_tokens_details) ?? detail(told.input_tokens_details) ?? count(told.prompt_cache_hit_tokens)
  const output = count(told.completion_tokens) ?? count(told.output_tokens)
  return {
    ...(input === undefined ? {} : { input_tokens: input + beside }),
    ...(cached === undefined ? {} : { cached_input_tokens: cached }),
    ...(output === undefined ? {} : { output_tokens: output }),
  }
}

/** The usage in a whole reply, or in one event of a stream; undefined when it has none. */
export function usageOf(message: unknown): UsageSeen | undefined {
  if (!isRecord(message)) return undefined
  const holder = isRecord(message.usage)
    ? message
    : [message.response, message.message].find((part) => isRecord(part) && isRecord(part.usage))
  return isRecord(holder) ? usageIn(holder.usage) : undefined
}

/** The last usage object in text that is cut off at its beginning, or too long to be parsed. */
export function usageInTail(tail: string): UsageSeen | undefined {
  // A string's own `"usage":` has a backslash before its second quote, so this can only be a key.
  const places = [...tail.matchAll(/"usage"\s*:\s*\{/g)]
  for (const place of places.reverse()) {
    const start = place.index + place[0].length - 1
    const seen = usageIn(parse(balanced(tail, start)))
    if (seen.input_tokens !== undefined || seen.output_tokens !== undefined) return seen
  }
  return undefined
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What nobody told is reckoned at four characters a token. */
export function settled(seen: UsageSeen, bytes: { readonly input: number; readonly output: number }, operation: Operation): CallUsage {
  if (operation === 'count_tokens') return nothingUsed
  const output = seen.output_tokens ?? (operation === 'embeddings' ? 0 : undefined)
  const input_tokens = seen.input_tokens ?? tokensIn(bytes.input)
  return {
    input_tokens,
    cached_input_tokens: Math.min(seen.cached_input_tokens ?? 0, input_tokens),
    output_tokens: output ?? tokensIn(bytes.output),
    estimated: seen.input_tokens === undefined || output === undefined,
  }
}

export function tokensIn(bytes: number): number {
  return Math.ceil(bytes / 4)
}

export const nothingUsed: CallUsage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, estimated: false }

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function detail(details: unknown): number | undefined {
  return isRecord(details) ? count(details.cached_tokens) : undefined
}

/** The object that begins at `start`. Usage holds numbers and names, no braces in strings. */
function balanced(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(start, at + 1)
  }
  return ''
}
