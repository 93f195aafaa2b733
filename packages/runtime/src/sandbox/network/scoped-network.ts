// The network as one call may use it: every address is checked before a connection, and again at every redirect.

import type { ScopedNetwork } from '../../call/network.ts'
import type { CallScope } from '../../call/scope.ts'
import { openConnectionPolicy } from './connection-policy.ts'
import { openFilteringProxy } from './filtering-proxy.ts'
import { fetchWithRedirects } from './follow-redirects.ts'
import { type Resolve, systemResolve } from './resolve.ts'
import { openStream } from './stream.ts'

export type { Resolve } from './resolve.ts'

export interface NetworkOptions {
  readonly resolve?: Resolve
  /** Certificates to trust in addition to the system's, as PEM. */
  readonly ca?: string
}

export function openNetwork(scope: CallScope, options: NetworkOptions = {}): ScopedNetwork {
  const resolve = options.resolve ?? systemResolve
  const gate = openConnectionPolicy(scope, resolve)
  return {
    request: (request, signal) => fetchWithRedirects(gate, request, signal, options.ca),
    stream: (request, signal) => openStream(gate, request, signal, options.ca),
    openProxy: () => openFilteringProxy(scope, resolve),
  }
}
