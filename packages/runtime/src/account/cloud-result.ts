// The result of a request to the cloud. All three cases are expected, and each is handled differently.
import type { ProblemCode } from '@tandem/contract/problem'

export interface CloudRefusal {
  readonly kind: 'refused'
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  readonly retry_after_ms?: number
  /** Each part of the request that the cloud does not accept. */
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[] | undefined
}

/** No response: whether the request took effect is unknown. */
export interface CloudUnreachable {
  readonly kind: 'unreachable'
  readonly detail: string
}

export type CloudResult<Body> = { readonly kind: 'ok'; readonly body: Body } | CloudRefusal | CloudUnreachable

export type CloudFailure = CloudRefusal | CloudUnreachable
