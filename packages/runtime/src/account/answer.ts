// The result of a request to the cloud. All three cases are expected, and each is handled differently.
import type { ProblemCode } from '@tandem/contract/problem'

export interface Refused {
  readonly kind: 'refused'
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  readonly retry_after_ms?: number
  /** Each part of the request that the cloud does not accept. */
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[] | undefined
}

/** No response: whether the request took effect is unknown. */
export interface Unreachable {
  readonly kind: 'unreachable'
  readonly detail: string
}

export type Answer<Body> = { readonly kind: 'ok'; readonly body: Body } | Refused | Unreachable

export type NoAnswer = Refused | Unreachable
