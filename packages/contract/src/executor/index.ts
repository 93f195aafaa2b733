// A remote executor: a host on which the runtime may run things. Handshake first; if there is none, capabilities and health.
export type {
  ExecutorCapabilities,
  ExecutorHealth,
  HandshakeRequest,
  HandshakeResponse,
  NegotiationResult,
} from './schema.ts'

/** The protocols this runtime supports, in order of preference. */
export const executorProtocols = ['tandem-executor/1'] as const

/** Relative to the executor's address. */
export const executorEndpoints = {
  handshake: { method: 'POST', path: '/handshake' },
  capabilities: { method: 'GET', path: '/capabilities' },
  health: { method: 'GET', path: '/health' },
} as const

export const negotiationMethods = ['handshake', 'capabilities'] as const
export type NegotiationMethod = (typeof negotiationMethods)[number]

export const executorStatuses = ['ok', 'degraded', 'unavailable'] as const
export type ExecutorStatus = (typeof executorStatuses)[number]

/** Why an executor cannot be used. */
export const negotiationFailures = [
  'unreachable',
  'timed_out',
  'unauthorized',
  'refused',
  'protocol_mismatch',
  'malformed_response',
  'unhealthy',
] as const
export type NegotiationFailure = (typeof negotiationFailures)[number]

/** The first protocol we offer that the executor supports too. */
export function negotiateProtocol(offered: readonly string[], supported: readonly string[]): string | undefined {
  return offered.find((protocol) => supported.includes(protocol))
}
