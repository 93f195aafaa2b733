// The usage reported in a response. Every dialect has its own names for the same three numbers. Pure.

import type { Operation } from '../../operation.ts'
import type { CallUsage } from '../meter.ts'

/** What has been reported so far; a stream reports it in parts. */
export interface ReportedUsage {
  readonly input_tokens?: number
  readonly cached_input_tokens?: number
  readonly output_tokens?: number
}

/** `told` is a usage object of any dialect. */
function usageIn(told: unknown): ReportedUsage {
  if (!isRecord(told)) return {}
  const read = count(told.cache_read_input_tokens)
  // Only Anthropic excludes cached tokens from the input. LiteLLM repeats Anthropic's fields in OpenAI's usage, where they are included.
  const includes = told.prompt_tokens !== undefined || isRecord(told.input_tokens_details)
  const beside = includes ? 0 : (read ?? 0) + (count(told.cache_creation_input_tokens) ?? 0)
  const input = count(told.prompt_tokens) ?? count(told.input_tokens)
  const cached = read ?? detail(told.prompt_tokens_details) ?? detail(told.input_tokens_details) ?? count(told.prompt_cache_hit_tokens)
  const output = count(told.completion_tokens) ?? count(told.output_tokens)
  return {
    ...(input === undefined ? {} : { input_tokens: input + beside }),
    ...(cached === undefined ? {} : { cached_input_tokens: cached }),
    ...(output === undefined ? {} : { output_tokens: output }),
  }
}

/** The usage in a whole response, or in one event of a stream; undefined if it has none. */
export function usageOf(message: unknown): ReportedUsage | undefined {
  if (!isRecord(message)) return undefined
  if (isRecord(message.usage)) return usageIn(message.usage)
  if (isRecord(message.response) && isRecord(message.response.usage)) return usageIn(message.response.usage)
  if (!isRecord(message.message) || !isRecord(message.message.usage)) return undefined
  // Anthropic's first event: its output tokens are an initial value, not the total.
  const { output_tokens: _, ...begun } = usageIn(message.message.usage)
  return begun
}

/** The last usage object in a text that is not a complete JSON value. */
export function lastUsageIn(tail: string): ReportedUsage | undefined {
  // A string's own `"usage":` has a backslash before its second quote, so this can only be a key.
  const places = [...tail.matchAll(/"usage"\s*:\s*\{/g)]
  for (const place of places.reverse()) {
    const start = place.index + place[0].length - 1
    const seen = usageIn(parseJson(balanced(tail, start)))
    if (seen.input_tokens !== undefined || seen.output_tokens !== undefined) return seen
  }
  return undefined
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The usage of a call if the provider does not report it. */
export interface Estimate {
  readonly input_tokens: number
  /** Bytes of the model's text. */
  readonly output_bytes: number
}

export function finalUsage(seen: ReportedUsage, estimate: Estimate, operation: Operation): CallUsage {
  if (operation === 'count_tokens') return nothingUsed
  const output = seen.output_tokens ?? (operation === 'embeddings' ? 0 : undefined)
  const input_tokens = seen.input_tokens ?? estimate.input_tokens
  return {
    input_tokens,
    cached_input_tokens: Math.min(seen.cached_input_tokens ?? 0, input_tokens),
    output_tokens: output ?? tokensIn(estimate.output_bytes),
    estimated: seen.input_tokens === undefined || output === undefined,
  }
}

/** Four characters of text make about one token. */
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

const [openBrace, closeBrace] = [0x7b, 0x7d]

/** The object that starts at `start`. Usage has numbers and names, no braces in strings. */
function balanced(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === openBrace) depth += 1
    else if (code === closeBrace) depth -= 1
    else continue
    if (depth === 0) return text.slice(start, at + 1)
  }
  return ''
}
