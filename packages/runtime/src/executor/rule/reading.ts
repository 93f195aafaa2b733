// What the responses of an executor mean. They are untrusted: each is validated, and accepted only for what was requested.
import {
  type ExecutorHealth,
  executorProtocols,
  type HandshakeResponse,
  handshakeUnsupported,
  type NegotiationFailure,
  type NegotiationMethod,
  negotiateProtocol,
} from '@tandem/contract/executor'
import {
  ExecutorCapabilities,
  HandshakeResponse as HandshakeSchema,
  ExecutorHealth as HealthSchema,
} from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'

export interface ExecutorResponse {
  readonly status: number
  readonly body: string
}

type Accepted = Extract<HandshakeResponse, { verdict: 'accepted' }>

export interface Negotiated extends Pick<Accepted, 'protocol' | 'executor' | 'capabilities'> {
  readonly method: NegotiationMethod
  readonly health: ExecutorHealth | null
  readonly session_id: string | null
  /** When the executor says that it expires; null if it does not say. */
  readonly expires_at: string | null
}

export interface NegotiationProblem {
  readonly reason: NegotiationFailure
  readonly message: string
}

export type Reading =
  | { readonly outcome: 'negotiated'; readonly value: Negotiated }
  | { readonly outcome: 'failed'; readonly problem: NegotiationProblem }

export function readHandshake(response: ExecutorResponse): Reading | 'unsupported' {
  if ((handshakeUnsupported as readonly number[]).includes(response.status)) return 'unsupported'
  const problem = statusProblem(response.status, 'the handshake')
  if (problem) return failed(problem)
  const value = parsed(response.body)
  if (!Check(HandshakeSchema, value)) return failed(malformed('the handshake'))
  if (value.verdict === 'refused') {
    const isMismatch = negotiateProtocol(executorProtocols, value.protocols) === undefined
    return isMismatch
      ? failed(mismatch(value.protocols))
      : failed({ reason: 'refused', message: `it refused the handshake: ${value.message}` })
  }
  const { protocol, executor, capabilities, session_id, expires_at } = value
  // It may only choose what was offered.
  if (negotiateProtocol(executorProtocols, [protocol]) === undefined) return failed(mismatch([protocol]))
  return negotiated({ method: 'handshake', protocol, executor, capabilities: distinct(capabilities), health: null, session_id, expires_at })
}

export function readFallback(capabilities: ExecutorResponse, health: ExecutorResponse): Reading {
  const problem = statusProblem(capabilities.status, 'capabilities') ?? statusProblem(health.status, 'health')
  if (problem) return failed(problem)
  const offered = parsed(capabilities.body)
  if (!Check(ExecutorCapabilities, offered)) return failed(malformed('capabilities'))
  const state = parsed(health.body)
  if (!Check(HealthSchema, state)) return failed(malformed('health'))
  const protocol = negotiateProtocol(executorProtocols, offered.protocols)
  if (protocol === undefined) return failed(mismatch(offered.protocols))
  if (state.status === 'unavailable')
    return failed({ reason: 'unhealthy', message: `it is unavailable${state.message === undefined ? '' : `: ${state.message}`}` })
  const { executor } = offered
  const known = distinct(offered.capabilities)
  return negotiated({ method: 'capabilities', protocol, executor, capabilities: known, health: state, session_id: null, expires_at: null })
}

/** Null for a response that has what was requested. */
export function statusProblem(status: number, what: string): NegotiationProblem | null {
  if (status === 200) return null
  const message = `it responded to the request for ${what} with status ${status}`
  if (status === 401 || status === 403) return { reason: 'unauthorized', message }
  if (status === 421 || status === 429) return { reason: 'refused', message }
  if (status >= 300 && status < 400) return { reason: 'redirected', message }
  if (status >= 500) return { reason: 'unhealthy', message }
  return { reason: 'malformed_response', message }
}

function malformed(what: string): NegotiationProblem {
  return { reason: 'malformed_response', message: `its response to the request for ${what} does not match the protocol` }
}

function mismatch(theirs: readonly string[]): NegotiationProblem {
  const supported = theirs.length === 0 ? 'none that is known' : theirs.join(', ')
  return { reason: 'protocol_mismatch', message: `it supports ${supported}, and this runtime ${executorProtocols.join(', ')}` }
}

/** A name that is offered twice counts once. */
function distinct(capabilities: Negotiated['capabilities']): Negotiated['capabilities'] {
  return capabilities.filter(({ name }, at) => capabilities.findIndex((one) => one.name === name) === at)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Not JSON: it matches no schema.
    return undefined
  }
}

function negotiated(value: Negotiated): Reading {
  return { outcome: 'negotiated', value }
}

function failed(problem: NegotiationProblem): Reading {
  return { outcome: 'failed', problem }
}
