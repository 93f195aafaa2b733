// What one turn of a model adds up to, piece by piece. Pure: bytes come from elsewhere.
import type { Usage } from '@tandem/contract/run'

export interface TurnCall {
  readonly wire_id: string
  readonly name: string
  readonly arguments: string
}

export interface Turn {
  readonly text: string
  readonly thinking: string
  readonly refusal: string
  readonly calls: readonly TurnCall[]
  readonly finish_reason: string
  /** Null when the model did not say. */
  readonly usage: Usage | null
}

/** What a chunk brought that can be shown at once. */
export interface Arrived {
  readonly text: string
  readonly thinking: string
}

export interface TurnBuilder {
  add(chunk: unknown): Arrived
  finish(): Turn
  /** Whether the model said that it is done. */
  finished(): boolean
}

interface OpenCall {
  id: string
  name: string
  arguments: string
}

/** Folds the chunks of a chat completion. Fields that are not there, or are of another type, are passed over. */
export function turnBuilder(): TurnBuilder {
  const calls: (OpenCall | undefined)[] = []
  let text = ''
  let thinking = ''
  let refusal = ''
  let finish_reason = ''
  let usage: Usage | null = null

  function addCall(piece: Record<string, unknown>): void {
    const place = typeof piece.index === 'number' && piece.index >= 0 && piece.index < 128 ? piece.index : calls.length
    // Another name at the same place is another call, whatever the index says.
    const taken = calls[place]?.id
    const index = taken && string(piece.id) !== '' && string(piece.id) !== taken ? calls.length : place
    const named = fields(piece.function)
    const call = calls[index] ?? { id: '', name: '', arguments: '' }
    calls[index] = call
    call.id ||= string(piece.id)
    call.name += string(named.name)
    call.arguments += string(named.arguments)
  }

  return {
    add(chunk) {
      const { choices, usage: counted } = fields(chunk)
      usage = usageIn(counted) ?? usage
      const choice = fields(Array.isArray(choices) ? choices[0] : undefined)
      const delta = fields(choice.delta ?? choice.message)
      const arrived = { text: string(delta.content), thinking: string(delta.reasoning_content) || string(delta.reasoning) }
      text += arrived.text
      thinking += arrived.thinking
      refusal += string(delta.refusal)
      finish_reason = string(choice.finish_reason) || finish_reason
      if (Array.isArray(delta.tool_calls)) for (const piece of delta.tool_calls) addCall(fields(piece))
      return arrived
    },
    finished: () => finish_reason !== '',
    finish() {
      const made = calls.filter((call) => call !== undefined && (call.name !== '' || call.arguments !== ''))
      return {
        text,
        thinking,
        refusal,
        calls: made.map((call, index) => ({
          wire_id: call?.id || `call_${index}`,
          name: call?.name ?? '',
          arguments: call?.arguments ?? '',
        })),
        finish_reason: finish_reason || 'unknown',
        usage,
      }
    },
  }
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
