// The network as one call may use it: every address is checked before it is connected to, and again at every redirect.

import type { CallScope } from '../../call/context.ts'
import type { StreamingNetwork } from '../../mcp/ports.ts'
import { type FilteringProxy, openFilteringProxy } from './filtering-proxy.ts'
import { openGate } from './gate.ts'
import { type Resolve, systemResolve } from './resolve.ts'
import { stream } from './stream.ts'
import { travel } from './travel.ts'

export type { FilteringProxy, ProxyRefusal } from './filtering-proxy.ts'
export type { Resolve } from './resolve.ts'

export interface NetworkRequest {
  readonly url: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** How much of the decoded body is read; the rest is left and `truncated` says so. */
  readonly max_bytes: number
  /** How many redirects are followed. With none a redirect is an answer like any other. */
  readonly redirects: number
}

export interface NetworkResponse {
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly status: number
  /** Names in lower case; repeated ones joined by a comma, cookies by a new line. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly truncated: boolean
  readonly redirected_from: readonly string[]
  /** Where the answer leads on to, when that was not followed: what is sent to one host does not go to another. */
  readonly redirect_stopped?: string
}

export interface ScopedNetwork extends StreamingNetwork {
  request(request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse>
  /** A proxy on loopback that lets through what this call's scope allows; for programs that connect by themselves. */
  openProxy(): Promise<FilteringProxy>
}

export interface NetworkOptions {
  readonly resolve?: Resolve
  /** Certificates to trust beside the system's, as PEM. */
  readonly ca?: string
}

export function openNetwork(scope: CallScope, options: NetworkOptions = {}): ScopedNetwork {
  const resolve = options.resolve ?? systemResolve
  const gate = openGate(scope, resolve)
  return {
    request: (request, signal) => travel(gate, request, signal, options.ca),
    stream: (request, signal) => stream(gate, request, signal, options.ca),
    openProxy: () => openFilteringProxy(scope, resolve),
  }
}
