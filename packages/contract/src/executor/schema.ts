import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { Count, Flag, Id, Key, Line, listOf, nullable, object, oneOf, Sha256, Timestamp } from '../shape.ts'
import { SandboxMode } from '../tool/schema.ts'
import { negotiationFailureNames } from './failure.ts'
import { executorStatuses, negotiationMethods } from './index.ts'
import { executorStates } from './state.ts'

export * from './job-schema.ts'

/** `name/major`, as in `tandem-executor/1`. */
export const ExecutorProtocol = Type.String({ maxLength: 100, pattern: '^[a-z][a-z0-9-]*/[0-9]+$' })

/** Executors may offer capabilities that this runtime does not know: a name, not a table. */
export const CapabilityName = Type.String({ maxLength: 100, pattern: '^[a-z][a-z0-9_]*(?:\\.[a-z0-9_]+)*$' })

const Capability = object({ name: CapabilityName, version: nullable(Line) })
const Capabilities = listOf(Capability, { maxItems: 500 })
const Protocols = listOf(ExecutorProtocol, { minItems: 1, maxItems: 20 })

/** The program on one side of the negotiation and the machine it runs on. */
const Host = object({ name: Line, version: Line, os: Line, arch: Line })

const WorkspaceContext = object({
  name: Line,
  /** Tandem does not send it: an executor does not need to know where files are stored on this device. */
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
  markers: listOf(Line, { maxItems: 100 }),
  writable: Flag,
})

/** `POST {executor_url}/handshake` */
export const HandshakeRequest = object({
  protocols: Protocols,
  runtime: Host,
  capabilities: Capabilities,
  sandbox_mode: SandboxMode,
  workspace: WorkspaceContext,
})
export type HandshakeRequest = Static<typeof HandshakeRequest>

export const HandshakeResponse = Type.Union([
  object({
    verdict: Type.Literal('accepted'),
    protocol: ExecutorProtocol,
    session_id: Line,
    executor: Host,
    capabilities: Capabilities,
    workspace: nullable(WorkspaceContext),
    expires_at: Timestamp,
  }),
  object({ verdict: Type.Literal('refused'), protocols: listOf(ExecutorProtocol, { maxItems: 20 }), message: Line }),
])
export type HandshakeResponse = Static<typeof HandshakeResponse>

/** `GET {executor_url}/capabilities` */
export const ExecutorCapabilities = object({ protocols: Protocols, executor: Host, capabilities: Capabilities })
export type ExecutorCapabilities = Static<typeof ExecutorCapabilities>

/** `GET {executor_url}/health` */
export const ExecutorHealth = object({
  status: oneOf(executorStatuses),
  message: Type.Optional(Line),
  running_jobs: Count,
  ts: Timestamp,
})
export type ExecutorHealth = Static<typeof ExecutorHealth>

/** As users see it. */
export const ExecutorName = Type.String({ minLength: 1, maxLength: 60, pattern: '^[A-Za-z0-9][A-Za-z0-9 _.+-]*$' })

/** The address that the endpoints are relative to. */
export const ExecutorUrl = Type.String({ maxLength: 2_048, pattern: '^https?://[^/?#\\s@]+(?:/[^?#\\s]*)?$' })

const ofExecutor = { executor_id: Id, executor_url: ExecutorUrl }

/** The content of the runtime cache; health, compatibility probes and diagnostics read it. */
export const NegotiationResult = Type.Union([
  object({
    ...ofExecutor,
    outcome: Type.Literal('negotiated'),
    method: oneOf(negotiationMethods),
    protocol: ExecutorProtocol,
    executor: Host,
    capabilities: Capabilities,
    /** Null after a handshake: only the fallback requests it. */
    health: nullable(ExecutorHealth),
    session_id: nullable(Line),
    negotiated_at: Timestamp,
    /** From then on it counts for nothing. It is renewed before. */
    expires_at: Timestamp,
    next_attempt_at: Timestamp,
  }),
  object({
    ...ofExecutor,
    outcome: Type.Literal('failed'),
    reason: oneOf(negotiationFailureNames),
    failure_contract: FailureContract,
    /** How many attempts failed since the last one that succeeded. */
    failures: Count,
    attempted_at: Timestamp,
    next_attempt_at: Timestamp,
  }),
])
export type NegotiationResult = Static<typeof NegotiationResult>

/** An executor of this device. Its token is stored and never shown. */
export const ListedExecutor = object({
  executor_id: Id,
  name: ExecutorName,
  executor_url: ExecutorUrl,
  /** The only certificate that is accepted; null for plain http to this device. */
  certificate_sha256: nullable(Sha256),
  added_at: Timestamp,
  state: oneOf(executorStates),
  negotiation: nullable(NegotiationResult),
  /** The ids of the agents that may run commands on it. A setting of this device. */
  agents: listOf(Key),
})
export type ListedExecutor = Static<typeof ListedExecutor>
