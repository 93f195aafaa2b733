// One provider of models as the gateway sees it: the scripted demonstration and every real one stand behind the same port.

import type { ModelFacts } from '../config/llm/settings.ts'
import type { Operation } from '../operation.ts'
import type { Flow } from './flow.ts'
import type { StopSignal } from './stop.ts'

export interface UpstreamRequest {
  readonly operation: Operation
  /** The provider's own name of the model. */
  readonly model: string
  /** Those of the caller that matter, in lower case; never who the caller is. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON with the model's own name already in place. */
  readonly body: Buffer
  /** The caller hung up, or a deadline passed. */
  readonly signal: StopSignal
}

export interface UpstreamReply {
  readonly status: number
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Flow
}

export interface UpstreamModel extends ModelFacts {
  /** The provider's own name, without the provider. */
  readonly id: string
}

export interface Upstream {
  /** The part of a model's id before the slash. */
  readonly name: string
  readonly operations: readonly Operation[]
  models(signal: AbortSignal): Promise<readonly UpstreamModel[]>
  /** Resolves with the head of the reply. Rejects with ConnectError, DeadlineError or the signal's reason; never with a key in a message. */
  send(request: UpstreamRequest): Promise<UpstreamReply>
  /** `asked`: an OpenAI stream tells usage only when `stream_options` asks; absent, it tells unasked or not at all. */
  readonly stream_usage?: 'asked' | 'always'
  /** Whether a text holds the provider's key: such a text goes nowhere. */
  betrays?(text: string): boolean
}

/** The provider could not be reached, or the connection broke. */
export class ConnectError extends Error {
  readonly code = 'upstream_unreachable'
}

/** The provider was reached and let a deadline pass. */
export class DeadlineError extends Error {
  readonly code = 'upstream_deadline'
}
