// A dialect of the scripted model: how a request is parsed, and how a turn is written, whole or event by event.
import type { Malformed, ScriptedRequest } from './conversation.ts'
import type { Call, FinishReason, Usage } from './turn.ts'

export interface Dialogue {
  read(body: unknown): ScriptedRequest | Malformed
  speak(reply: ReplyHead): DialectWriter
}

export interface ReplyHead {
  /** The same for the same request. */
  readonly seed: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  readonly input_tokens: number
  readonly include_usage: boolean
}

export type Block =
  | { readonly kind: 'text' }
  | { readonly kind: 'thinking' }
  | { readonly kind: 'call'; readonly call: Call; readonly id: string }

/** A complete block. */
export type CompleteBlock = Block & { readonly text: string }

/** Each function returns the next events as text. */
export interface DialectWriter {
  begin(): string
  open(block: Block, index: number): string
  delta(block: Block, index: number, text: string): string
  close(said: CompleteBlock, index: number): string
  end(said: readonly CompleteBlock[], finish: FinishReason, usage: Usage | undefined): string
  whole(said: readonly CompleteBlock[], finish: FinishReason, usage: Usage | undefined): object
}

export function event(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

export function spoken(said: readonly CompleteBlock[], kind: CompleteBlock['kind']): string {
  return said
    .filter((block) => block.kind === kind)
    .map((block) => block.text)
    .join('')
}
