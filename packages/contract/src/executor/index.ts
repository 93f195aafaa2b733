// A remote executor: a host on which the runtime may run things. Handshake first; if there is none, capabilities and health.
export * from './failure.ts'
export * from './job.ts'
export type { JobFile, JobProblem, JobReport, JobRequest } from './job-schema.ts'
export * from './problem.ts'
export type {
  ExecutorCapabilities,
  ExecutorHealth,
  HandshakeRequest,
  HandshakeResponse,
  ListedExecutor,
  NegotiationResult,
} from './schema.ts'
export * from './state.ts'

/** The protocols this runtime supports, in order of preference. */
export const executorProtocols = ['tandem-executor/1'] as const

/** Relative to the executor's address. */
export const executorEndpoints = {
  handshake: { method: 'POST', path: '/handshake' },
  capabilities: { method: 'GET', path: '/capabilities' },
  health: { method: 'GET', path: '/health' },
} as const

/** An executor that responds with one of these to a handshake does not support it. */
export const handshakeUnsupported = [404, 405, 501] as const

export const negotiationMethods = ['handshake', 'capabilities'] as const
export type NegotiationMethod = (typeof negotiationMethods)[number]

export const executorOutcomes = ['negotiated', 'failed'] as const
export type ExecutorOutcome = (typeof executorOutcomes)[number]

export const executorStatuses = ['ok', 'degraded', 'unavailable'] as const
export type ExecutorStatus = (typeof executorStatuses)[number]

export const executorLimits = {
  /** How many executors a device may have. */
  executors: 100,
  /** A longer response is not read. */
  response_bytes: 1_048_576,
  /** The largest handshake that the reference executor reads. */
  request_bytes: 262_144,
  /** For a whole negotiation. */
  negotiation_ms: 10_000,
} as const

/** The first protocol we offer that the executor supports too. */
export function negotiateProtocol(offered: readonly string[], supported: readonly string[]): string | undefined {
  return offered.find((protocol) => supported.includes(protocol))
}
