// The network as one call may use it: every address is checked before a connection, and again at every redirect.

import type { ScopedNetwork } from '../../call/network.ts'
import type { CallScope } from '../../call/scope.ts'
import { openFilteringProxy } from './filtering-proxy.ts'
import { openGate } from './gate.ts'
import { type Resolve, systemResolve } from './resolve.ts'
import { stream } from './stream.ts'
import { travel } from './travel.ts'

export type { Resolve } from './resolve.ts'

export interface NetworkOptions {
  readonly resolve?: Resolve
  /** Certificates to trust in addition to the system's, as PEM. */
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
