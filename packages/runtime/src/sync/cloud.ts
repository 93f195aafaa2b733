// The cloud as the engine sees it: a few calls, and answers that are values. Sockets, tokens and tries stand behind it.
import type { DeviceRegistration, Heartbeat, HeartbeatReply } from '@tandem/contract/device'
import type { ProblemCode } from '@tandem/contract/problem'
import type { PullQuery, PullReply, PushReply, PushRequest } from '@tandem/contract/sync'

export type Answer<Body> =
  | { readonly kind: 'ok'; readonly body: Body }
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: ProblemCode
      readonly detail: string
      readonly retry_after_ms?: number
    }
  /** No answer came: whether it was done is not known. */
  | { readonly kind: 'unreachable'; readonly detail: string }

export interface Cloud {
  push(request: PushRequest): Promise<Answer<PushReply>>
  pull(query: PullQuery): Promise<Answer<PullReply>>
}

export interface CloudDevice {
  register(device: DeviceRegistration): Promise<Answer<unknown>>
  heartbeat(heartbeat: Heartbeat): Promise<Answer<HeartbeatReply>>
}

export interface CloudFiles {
  /** The same name twice is one file. */
  send(name: string, path: string): Promise<Answer<unknown>>
  /** Null when there is none of that name. */
  fetch(name: string, path: string): Promise<Answer<'fetched' | 'missing'>>
}
