// Requests of a sign-in: bounded in size and time, and never redirected to another origin.
import { NetworkFailure, Refused } from '../../call/failure.ts'
import type { NetworkResponse, ScopedNetwork } from '../../call/network.ts'
import type { Clock } from '../../clock/clock.ts'
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import { mcpLimits } from '../limits.ts'
import { hostPattern } from './address.ts'

export interface SignInNetwork {
  readonly clock: Clock
  /** A network that reaches these hosts, and those that the user approved for the MCP server. */
  open(hosts: readonly string[]): Pick<ScopedNetwork, 'request'>
}

export interface JsonResponse {
  readonly status: number
  /** Null if the response is not a JSON object. */
  readonly document: Readonly<Record<string, unknown>> | null
}

interface Sent {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with POST; without it, the request is a GET. */
  readonly body?: string
}

/** `subject`: the MCP server, for messages. */
export async function requestJson(network: SignInNetwork, subject: string, sent: Sent): Promise<McpOutcome<JsonResponse>> {
  const stop = new AbortController()
  const cancel = network.clock.after(mcpLimits.sign_in_request_ms, () => stop.abort(new Error('it did not respond in time')))
  const { host } = new URL(sent.url)
  try {
    const answer = await followWithinOrigin(network, sent, stop.signal)
    if (typeof answer === 'string') return unsafe(subject, answer)
    if (answer.truncated) return unsafe(subject, `${host} sent more than ${mcpLimits.sign_in_bytes} bytes`)
    return mcpSuccess({ status: answer.status, document: parse(answer.body) })
  } catch (error) {
    if (error instanceof Refused) return unsafe(subject, error.message)
    const why = stop.signal.aborted ? `${host} did not respond within ${mcpLimits.sign_in_request_ms / 1_000} s` : undefined
    if (why === undefined && !(error instanceof NetworkFailure)) throw error
    const message = why ?? (error instanceof Error ? error.message : String(error))
    return mcpFailed(mcpFailure('sign_in_failed', subject, `the sign-in to ${subject} failed: ${message}`))
  } finally {
    cancel()
  }
}

/** The sign-in breaks a rule that protects the user: repeating it would not help. */
export function unsafe(subject: string, why: string) {
  return mcpFailed(mcpFailure('sign_in_unsafe', subject, `the sign-in to ${subject} was stopped: ${why}`))
}

const mostRedirects = 3

async function followWithinOrigin(network: SignInNetwork, sent: Sent, signal: AbortSignal): Promise<NetworkResponse | string> {
  let { url } = sent
  for (let hop = 0; ; hop += 1) {
    const answer = await network.open([hostPattern(url)]).request(
      {
        url,
        method: sent.body === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', ...sent.headers },
        ...(sent.body === undefined ? {} : { body: sent.body }),
        max_bytes: mcpLimits.sign_in_bytes,
        redirects: 0,
      },
      signal,
    )
    if (answer.status < 300 || answer.status > 399) return answer
    const target = URL.parse(answer.headers.location ?? '', url)
    if (!target || target.origin !== new URL(url).origin) return `${new URL(url).host} redirects to another address`
    // A code or a token is sent to one address only.
    if (sent.body !== undefined || hop === mostRedirects) return `${new URL(url).host} redirects the request`
    url = target.href
  }
}

function parse(body: Uint8Array): JsonResponse['document'] {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return isObject(value) ? value : null
  } catch {
    // An error page, or not text at all: the status tells what it means.
    return null
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
