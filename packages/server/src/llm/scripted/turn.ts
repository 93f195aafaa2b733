// What the scripted model does when it is asked once: by its rules, or as a test has written it down.

/** Steps of one answer, in order. Text and thinking stream word by word; a call's arguments in the given fragments. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | Call
  | { readonly kind: 'delay'; readonly ms: number }
  /** Says nothing more, until the caller hangs up. */
  | { readonly kind: 'hang' }
  /** The connection breaks here. */
  | { readonly kind: 'cut' }

export interface Call {
  readonly kind: 'call'
  readonly name: string
  /** JSON, whole or in the pieces it is sent in. */
  readonly arguments: string | readonly string[]
  /** Made from the request when absent. */
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
  /** `tool_calls` when the turn has calls, otherwise `stop`. */
  readonly finish_reason?: FinishReason
  /** Reckoned from the texts when absent; `none` is not told to the caller at all. */
  readonly usage?: Usage | 'none'
}

/** An answer that is an error before the first byte. */
export interface Fault {
  readonly error: { readonly status: number; readonly message: string; readonly retry_after_seconds?: number }
  readonly delay_ms?: number
}

/** One entry for each request, in the order they arrive. */
export type Script = readonly (Turn | Fault)[]

export function isFault(turn: Turn | Fault): turn is Fault {
  return 'error' in turn
}

export function finishOf(turn: Turn): FinishReason {
  return turn.finish_reason ?? (turn.steps.some((step) => step.kind === 'call') ? 'tool_calls' : 'stop')
}

/** Words with the space before them: joined they are the text again. */
export function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

/** Four characters a token, as everybody reckons who has no tokenizer. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4)
}

/** The turn within `most` tokens of text; what is past them is left out, and said so. */
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
