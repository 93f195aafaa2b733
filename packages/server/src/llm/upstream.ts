// One provider of models as seen by the gateway: the demo model and every real one implement the same port.

import type { ModelFacts } from '../config/llm/settings.ts'
import type { Operation } from '../operation.ts'
import type { ByteFlow } from './flow.ts'
import type { StopSignal } from './stop.ts'

export interface UpstreamRequest {
  readonly operation: Operation
  /** The provider's own name for the model. */
  readonly model: string
  /** The relevant headers of the caller, in lower case; never its identity. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON that already contains the provider's name for the model. */
  readonly body: Buffer
  /** The caller disconnected, or a deadline passed. */
  readonly signal: StopSignal
}

export interface UpstreamReply {
  readonly status: number
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ByteFlow
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
  /** Resolves with the head of the response. Rejects with ConnectError, DeadlineError or the signal's reason; no message contains a key. */
  send(request: UpstreamRequest): Promise<UpstreamReply>
  /** `asked`: an OpenAI stream reports usage only if `stream_options` requests it; absent, it reports it anyway or never. */
  readonly stream_usage?: 'asked' | 'always'
  /** Whether a text contains the provider's key: such a text must not be forwarded. */
  betrays?(text: string): boolean
}

/** The provider is unreachable, or the connection broke. */
export class ConnectError extends Error {
  readonly code = 'upstream_unreachable'
}

/** The provider is reachable but exceeded a deadline. */
export class DeadlineError extends Error {
  readonly code = 'upstream_deadline'
}
