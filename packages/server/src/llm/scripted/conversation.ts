// A conversation as the scripted model sees it, in any dialect.

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly AskedCall[] }
  | { readonly role: 'tool'; readonly call_id: string; readonly text: string; readonly failed: boolean }

export interface AskedCall {
  readonly id: string
  readonly name: string
  /** JSON. */
  readonly arguments: string
}

/** A tool the request offers. */
export interface OfferedTool {
  readonly name: string
  /** JSON Schema of its arguments. */
  readonly parameters: unknown
}

export interface ScriptedRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  readonly stream: boolean
  readonly include_usage: boolean
  readonly max_tokens: number | undefined
}

/** A request that does not have the format of its dialect. */
export interface Malformed {
  readonly malformed: string
}

/** A field of untrusted input; undefined if there is none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}

/** Content is a text, or parts of which some are texts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((part) => string(field(part, 'text')))
    .filter((text) => text !== '')
    .join('\n')
}

/** For dialects without a flag: a failed tool reports it in its result. */
export function looksFailed(result: string): boolean {
  if (/^\s*(?:error|failed|failure)\b/i.test(result)) return true
  try {
    const value: unknown = JSON.parse(result)
    return field(value, 'ok') === false || Boolean(field(value, 'error')) || Boolean(field(value, 'failure_contract'))
  } catch {
    // Most results are not JSON.
    return false
  }
}
