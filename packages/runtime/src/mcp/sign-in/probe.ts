// Asks a server without a token what it requires. Only the header of its refusal is read.
import type { StreamingNetwork } from '../../call/network.ts'
import type { Clock } from '../../clock/clock.ts'
import { mcpLimits } from '../limits.ts'
import { type Challenge, readChallenge } from './challenge.ts'

export interface Probe {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly version: string
}

/** Null if it requires nothing, or does not say what. Throws if it cannot be reached. */
export async function probeChallenge(network: StreamingNetwork, clock: Clock, probe: Probe): Promise<Challenge | null> {
  const url = new URL(probe.url)
  for (const [name, value] of Object.entries(probe.query)) url.searchParams.set(name, value)
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tandem', version: probe.version } }
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  const stop = new AbortController()
  const cancel = clock.after(mcpLimits.sign_in_request_ms, () => stop.abort(new Error('the server did not respond in time')))
  try {
    const posted = await ask({ method: 'POST', body: initialize, accept: 'application/json, text/event-stream' })
    // A server with the old transport refuses the method before it looks for a token.
    return (
      posted.challenge ?? (posted.status === 401 ? null : (await ask({ method: 'GET', body: null, accept: 'text/event-stream' })).challenge)
    )
  } finally {
    cancel()
    stop.abort()
  }

  async function ask({ method, body, accept }: { method: string; body: string | null; accept: string }) {
    const type = body === null ? {} : { 'content-type': 'application/json' }
    const sent = { url: url.href, method, headers: { ...probe.headers, ...type, accept }, body }
    const answer = await network.stream(sent, stop.signal)
    await answer.body?.cancel()
    const challenge = answer.status === 401 ? readChallenge(new Headers(answer.headers).get('www-authenticate') ?? undefined) : null
    return { status: answer.status, challenge }
  }
}
