// The access token for the requests of a server: refreshed before it expires, and once when the server refuses it.
import type { Clock } from '../../clock/clock.ts'
import { type McpFailure, type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import type { Authorizer, HttpServer } from '../ports.ts'
import type { CredentialStore, Credentials } from './credentials.ts'
import type { SignInNetwork } from './request.ts'
import { requestTokens } from './token-endpoint.ts'

/** A request that is sent now should not arrive after the end of its token. */
const longestMargin_ms = 60_000

export interface AuthorizerPorts {
  readonly clock: Clock
  readonly store: CredentialStore
  networkFor(server: HttpServer): SignInNetwork
  /** A server requires a scope. */
  required(server_id: string, scope: string): void
}

export function openAuthorizers({ clock, store, networkFor, required }: AuthorizerPorts): (server: HttpServer) => Authorizer {
  // All sessions of a server share one refresh: the authorization server accepts a refresh token once.
  const refreshing = new Map<string, Promise<McpOutcome<string>>>()

  function refresh(server: HttpServer, credentials: Credentials): Promise<McpOutcome<string>> {
    const { server_id } = server
    const underWay = refreshing.get(server_id)
    if (underWay) return underWay
    const work = refreshNow(server, credentials).finally(() => refreshing.delete(server_id))
    refreshing.set(server_id, work)
    return work
  }

  /** Not canceled with the request that needs it: the response has the only copy of the next refresh token. */
  async function refreshNow(server: HttpServer, credentials: Credentials): Promise<McpOutcome<string>> {
    const { server_id } = server
    const { refresh_token } = credentials
    if (refresh_token === null) return expire(server, credentials)
    const grant = { grant_type: 'refresh_token', refresh_token }
    const answer = await requestTokens(networkFor(server), server_id, credentials, grant)
    // The user may have signed out, or signed in again, in the meantime.
    const current = store.read(server)
    if (current?.refresh_token !== refresh_token)
      return current?.access_token ? mcpSuccess(current.access_token) : mcpFailed(expired(server_id))
    if (!answer.ok) return answer
    if (answer.value.kind === 'rejected') return expire(server, credentials)
    const { tokens } = answer.value
    store.write(server_id, withTokens(credentials, { ...tokens, refresh_token: tokens.refresh_token ?? refresh_token }, clock.now()))
    return mcpSuccess(tokens.access_token)
  }

  function expire({ server_id }: HttpServer, credentials: Credentials) {
    store.write(server_id, { ...credentials, access_token: null, refresh_token: null })
    return mcpFailed(expired(server_id))
  }

  return (server) => ({
    async token() {
      const credentials = store.read(server)
      if (!credentials) return mcpSuccess(null)
      const { access_token, refresh_token, obtained_at, expires_at } = credentials
      if (access_token === null) return mcpFailed(expired(server.server_id))
      if (expires_at === null) return mcpSuccess(access_token)
      const left = expires_at - clock.now()
      const margin = Math.min(longestMargin_ms, (expires_at - obtained_at) / 10)
      if (left > margin || (left > 0 && refresh_token === null)) return mcpSuccess(access_token)
      const refreshed = await refresh(server, credentials)
      const isStillValid = !refreshed.ok && refreshed.failure.reason_code !== 'sign_in_expired' && left > 0
      return isStillValid ? mcpSuccess(access_token) : refreshed
    },
    async replace(refused) {
      const credentials = store.read(server)
      if (!credentials) return mcpSuccess(null)
      if (credentials.access_token === null) return mcpFailed(expired(server.server_id))
      return credentials.access_token === refused ? refresh(server, credentials) : mcpSuccess(credentials.access_token)
    },
    require(scope) {
      if (scope !== null) required(server.server_id, scope)
    },
  })
}

export function withTokens(
  credentials: Credentials,
  { access_token, refresh_token, lifetime_ms }: { access_token: string; refresh_token: string | null; lifetime_ms: number | null },
  now: number,
): Credentials {
  return { ...credentials, access_token, refresh_token, obtained_at: now, expires_at: lifetime_ms === null ? null : now + lifetime_ms }
}

function expired(server_id: string): McpFailure {
  return mcpFailure('sign_in_expired', server_id, `the sign-in to ${server_id} has expired`)
}
