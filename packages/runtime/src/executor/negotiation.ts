// One negotiation with an executor: the handshake, or capabilities and health if it has none. It always ends within its time.
import { executorEndpoints, executorLimits, type HandshakeRequest } from '@tandem/contract/executor'
import type { Clock } from '../clock/clock.ts'
import type { Resolve } from '../sandbox/network/resolve.ts'
import { ExecutorFailure, openConnection } from './connection.ts'
import { type ExecutorRequest, exchange } from './exchange.ts'
import type { ExecutorRecord } from './executor-records.ts'
import { executorAddress } from './rule/address.ts'
import { type ExecutorResponse, type Reading, readFallback, readHandshake } from './rule/reading.ts'

export interface NegotiationPorts {
  readonly clock: Clock
  resolve: Resolve
  /** What this runtime says about itself. */
  handshake(): Promise<HandshakeRequest>
}

type Endpoint = keyof typeof executorEndpoints

/** Rejects only if `signal` is aborted: then there is no outcome. */
export async function negotiate(executor: ExecutorRecord, ports: NegotiationPorts, signal: AbortSignal): Promise<Reading> {
  try {
    return await withinLimit(ports.clock, signal, async (within) => {
      const ask = (endpoint: Endpoint, body?: string) => askExecutor(executor, ports.resolve, endpoint, body, within)
      const reading = readHandshake(await ask('handshake', JSON.stringify(await ports.handshake())))
      if (reading !== 'unsupported') return reading
      const [capabilities, health] = await Promise.all([ask('capabilities'), ask('health')])
      return readFallback(capabilities, health)
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ExecutorFailure)) throw error
    return { outcome: 'failed', problem: { reason: error.reason, message: error.message } }
  }
}

/** Ends after the limit with `timed_out`, even if something it waits for cannot be canceled. */
export async function withinLimit<Result>(
  clock: Clock,
  signal: AbortSignal,
  work: (within: AbortSignal) => Promise<Result>,
  limit_ms: number = executorLimits.negotiation_ms,
): Promise<Result> {
  const ending = new AbortController()
  const over = Promise.withResolvers<never>()
  const stop = () => end(signal.reason)
  function end(reason: unknown): void {
    ending.abort(reason)
    over.reject(reason)
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', stop, { once: true })
  const cancel = clock.after(limit_ms, () => end(new ExecutorFailure('timed_out', `no response within ${limit_ms / 1_000} s`)))
  try {
    return await Promise.race([work(ending.signal), over.promise])
  } finally {
    cancel()
    signal.removeEventListener('abort', stop)
    ending.abort()
  }
}

async function askExecutor(
  executor: ExecutorRecord,
  resolve: Resolve,
  endpoint: Endpoint,
  body: string | undefined,
  signal: AbortSignal,
): Promise<ExecutorResponse> {
  const { executor_url, certificate_sha256, token } = executor
  const parsed = executorAddress(executor_url)
  if (!parsed.ok) throw new ExecutorFailure('address_forbidden', `the address ${parsed.why}`)
  const socket = await openConnection(parsed.address, certificate_sha256, resolve, signal)
  const { method, path } = executorEndpoints[endpoint]
  const request: ExecutorRequest = { method, path, ...(body === undefined ? {} : { body }) }
  return await exchange(socket, parsed.address, token, request, signal)
}
