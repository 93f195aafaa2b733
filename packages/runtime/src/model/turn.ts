// Assembles one turn of a model from its chunks. Pure: the bytes are read elsewhere.
import type { Usage } from '@tandem/contract/run'
import type { ProviderFields } from './message.ts'
import { fieldsToKeep, mergedFields, messageFields } from './provider-fields.ts'
import { assembleCalls, type TurnCall } from './turn-calls.ts'

export type { TurnCall } from './turn-calls.ts'

export interface Turn {
  readonly text: string
  readonly thinking: string
  readonly refusal: string
  readonly calls: readonly TurnCall[]
  readonly finish_reason: string
  /** Null if the model did not report it. */
  readonly usage: Usage | null
  /** Sent back unchanged with the next request. */
  readonly provider_fields?: ProviderFields
}

/** What a chunk contains that can be shown immediately. */
export interface StreamedPiece {
  readonly text: string
  readonly thinking: string
}

export interface TurnBuilder {
  /** `isProgress` is false for a chunk that only keeps the connection open. */
  add(chunk: unknown): StreamedPiece & { readonly isProgress: boolean }
  finish(): Turn
  /** Whether the model reported that it is done. */
  finished(): boolean
}

/** Combines the chunks of a chat completion. Fields that are missing or of another type are ignored. */
export function turnBuilder(): TurnBuilder {
  const calls = assembleCalls()
  let text = ''
  let thinking = ''
  let refusal = ''
  let finish_reason = ''
  let usage: Usage | null = null
  let provider: ProviderFields = {}

  return {
    add(chunk) {
      const { choices, usage: counted } = fields(chunk)
      usage = usageIn(counted) ?? usage
      const choice = fields(Array.isArray(choices) ? choices[0] : undefined)
      const delta = fields(choice.delta ?? choice.message)
      const parts = contentOf(delta.content)
      const reasoning = string(delta.reasoning_content) || string(delta.reasoning)
      const arrived = { text: parts.text, thinking: reasoning + parts.thinking }
      const refused = string(delta.refusal) + parts.refusal
      const finish = string(choice.finish_reason)
      const pieces = Array.isArray(delta.tool_calls) ? delta.tool_calls : []
      text += arrived.text
      thinking += arrived.thinking
      refusal += refused
      finish_reason = finish || finish_reason
      calls.add(pieces)
      const added = messageFields(delta)
      provider = mergedFields(provider, added)
      const said = arrived.text + arrived.thinking + refused + finish
      return { ...arrived, isProgress: said !== '' || pieces.length > 0 || Object.values(added).some(saysSomething) || Boolean(counted) }
    },
    finished: () => finish_reason !== '',
    finish() {
      const provider_fields = fieldsToKeep(provider)
      return {
        text,
        thinking,
        refusal,
        calls: calls.calls(),
        finish_reason: finish_reason || 'unknown',
        usage,
        ...(provider_fields ? { provider_fields } : {}),
      }
    },
  }
}

/** A text, or parts of text, thoughts and refusals. */
function contentOf(content: unknown): StreamedPiece & { readonly refusal: string } {
  if (!Array.isArray(content)) return { text: string(content), thinking: '', refusal: '' }
  const parts = content.map(fields)
  const joined = (of: (part: Record<string, unknown>) => string) => parts.map(of).join('')
  return {
    text: joined(({ type, text }) => (type === 'text' || type === 'output_text' || type === undefined ? string(text) : '')),
    thinking: joined(({ type, thinking, text }) => (type === 'thinking' || type === 'reasoning' ? thoughts(thinking ?? text) : '')),
    refusal: joined(({ type, refusal }) => (type === 'refusal' ? string(refusal) : '')),
  }
}

/** Mistral's thoughts are parts themselves. */
function thoughts(value: unknown): string {
  return Array.isArray(value) ? value.map((part) => string(fields(part).text)).join('') : string(value)
}

function saysSomething(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

function usageIn(value: unknown): Usage | undefined {
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = fields(value)
  if (typeof prompt_tokens !== 'number' || typeof completion_tokens !== 'number') return undefined
  const { cached_tokens } = fields(prompt_tokens_details)
  return {
    input_tokens: count(prompt_tokens),
    output_tokens: count(completion_tokens),
    cached_tokens: typeof cached_tokens === 'number' ? count(cached_tokens) : 0,
    estimated: false,
  }
}

function count(value: number): number {
  return Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
