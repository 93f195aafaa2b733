// What the scripted model does for one request: by its rules, or as scripted by a test.

/** Steps of one response, in order. Text and thinking are streamed word by word; a call's arguments in the given fragments. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | Call
  | { readonly kind: 'delay'; readonly ms: number }
  /** Sends nothing more, until the caller disconnects. */
  | { readonly kind: 'hang' }
  /** The connection breaks here. */
  | { readonly kind: 'cut' }

export interface Call {
  readonly kind: 'call'
  readonly name: string
  /** JSON, whole or in the pieces in which it is sent. */
  readonly arguments: string | readonly string[]
  /** Default: derived from the request. */
  readonly id?: string
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

export interface Usage {
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
}

export interface Turn {
  readonly steps: readonly Step[]
  /** `tool_calls` if the turn has calls, otherwise `stop`. */
  readonly finish_reason?: FinishReason
  /** Default: estimated from the texts; `none` is not reported to the caller. */
  readonly usage?: Usage | 'none'
}

/** A response that is an error before the first byte. */
export interface Fault {
  readonly error: { readonly status: number; readonly message: string; readonly retry_after_seconds?: number }
  readonly delay_ms?: number
}

/** One entry per request, in the order of arrival. */
export type Script = readonly (Turn | Fault)[]

export function isFault(turn: Turn | Fault): turn is Fault {
  return 'error' in turn
}

export function finishOf(turn: Turn): FinishReason {
  return turn.finish_reason ?? (turn.steps.some((step) => step.kind === 'call') ? 'tool_calls' : 'stop')
}

/** Words with the space before them: joined they are the original text. */
export function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

/** Four characters per token, the usual estimate without a tokenizer. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4)
}

/** The turn within `most` tokens of text; the rest is cut, and reported. */
export function shorten(turn: Turn, most: number | undefined): Turn {
  if (most === undefined) return turn
  let left = most
  const steps: Step[] = []
  for (const step of turn.steps) {
    if (step.kind !== 'text' && step.kind !== 'thinking') {
      steps.push(step)
      continue
    }
    let text = ''
    for (const word of words(step.text)) {
      if (left < tokensIn(word)) return { ...turn, steps: [...steps, { ...step, text }], finish_reason: 'length' }
      left -= tokensIn(word)
      text += word
    }
    steps.push(step)
  }
  return { ...turn, steps }
}
