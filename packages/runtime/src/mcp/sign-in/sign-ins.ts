// Signing in to MCP servers with OAuth 2.1. A sign-in begins when a user asks for it; the browser that the user opens ends it.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sleep, timestamp } from '../../clock/clock.ts'
import { type Admission, admit } from '../admission.ts'
import { type McpFailure, type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import { mcpLimits } from '../limits.ts'
import type { Authorizer, HttpServer, McpPorts } from '../ports.ts'
import { authorizationUrl, hostsOf, scopeFor } from './authorization-url.ts'
import { openAuthorizers, withTokens } from './authorizer.ts'
import { type Callback, openCallback } from './callback.ts'
import type { Challenge } from './challenge.ts'
import { enteredClient, registerClient } from './client.ts'
import { type Credentials, type OAuthClient, openCredentials } from './credentials.ts'
import { type Discovery, discover } from './discovery.ts'
import type { AuthorizationServer } from './metadata.ts'
import { probeChallenge } from './probe.ts'
import type { SignInNetwork } from './request.ts'
import { requestTokens, revokeToken } from './token-endpoint.ts'

export interface SignInRequest {
  /** A client that the user registered with the authorization server. */
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
  /** The port of the redirect address that was registered; any free one by default. */
  readonly redirect_port?: number | undefined
}

export interface BegunSignIn {
  readonly sign_in_id: string
  readonly server_id: string
  /** To be opened in a browser by the user, after the user has seen the hosts. */
  readonly authorization_url: string
  readonly issuer: string
  /** All hosts that take part, that of the authorization server first. */
  readonly hosts: readonly string[]
  readonly scope: string | null
  readonly redirect_uri: string
  readonly expires_at: string
}

export interface SignedIn {
  readonly issuer: string
  readonly signed_in_at: string
  /** When the current access token expires; it is refreshed before that. */
  readonly expires_at: string | null
}

export interface SignIns {
  /** Finds the authorization server and prepares the sign-in. Ends an earlier one of the same server. */
  begin(admitted: HttpAdmission, request: SignInRequest): Promise<McpOutcome<BegunSignIn>>
  /** Waits for the end of a sign-in, at most this long. */
  wait(sign_in_id: string, ms: number): Promise<McpOutcome<'waiting' | 'signed_in'>>
  /** Ends it before the browser has returned. Nothing of it is kept. */
  cancel(sign_in_id: string): McpOutcome<{ readonly server_id: string }>
  /** Deletes the tokens, and tells the authorization server, if it wants to know. */
  signOut(server: HttpServer): Promise<void>
  signedIn(server: HttpServer): SignedIn | null
  authorizer(server: HttpServer): Authorizer
  /** The server was removed. */
  forget(server_id: string): void
  stop(): void
}

export interface HttpAdmission extends Admission {
  readonly server: HttpServer
}

interface Pending {
  readonly server_id: string
  readonly ended: Promise<McpOutcome<true>>
  end(failure: McpFailure): void
  /** Null if it has ended. */
  cancel: (() => void) | null
}

/** `done`: the user signed in to this server. */
export function openSignIns(ports: McpPorts, done: (server: HttpServer) => void): SignIns {
  const { clock } = ports
  const store = openCredentials(ports.secrets)
  const pending = new Map<string, Pending>()
  /** Of canceled sign-ins, for the pages that still return. */
  const dismissed = new Set<() => void>()
  /** Scopes that a server required for a call. */
  const required = new Map<string, string>()

  function networkOf({ server, consent }: Pick<Admission, 'consent'> & { readonly server: HttpServer }): SignInNetwork {
    return { clock, open: (hosts) => ports.signInNetworkFor(server, consent, hosts) }
  }

  const authorizerOf = openAuthorizers({
    clock,
    store,
    networkFor(server) {
      const consent = ports.consents.get(server.server_id)
      if (!consent) throw new Error(`${server.server_id} is used without an approval`)
      return networkOf({ server, consent })
    },
    required: (server_id, scope) => void required.set(server_id, scope),
  })

  function endAll(server_id: string, why: string): void {
    for (const [sign_in_id, each] of pending) {
      if (each.server_id !== server_id) continue
      each.end(mcpFailure('sign_in_failed', server_id, why))
      pending.delete(sign_in_id)
    }
  }

  async function find(admitted: HttpAdmission): Promise<McpOutcome<Discovery>> {
    const { server, headers, query, consent } = admitted
    const network = ports.networkFor(server, consent, ports.place)
    let challenge: Challenge | null
    try {
      challenge = await probeChallenge(network, clock, { url: server.url, headers, query, version: ports.version })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return mcpFailed(mcpFailure('sign_in_failed', server.server_id, `${server.server_id} cannot be reached: ${why}`))
    }
    return discover(networkOf(admitted), server, challenge)
  }

  function clientFor(
    admitted: HttpAdmission,
    server: AuthorizationServer,
    request: SignInRequest,
    redirect_uri: string,
    scope: string | null,
  ): Promise<McpOutcome<OAuthClient>> {
    const { server_id } = admitted.server
    const { issuer } = server
    if (request.client_id !== undefined)
      store.enterClient(server_id, { issuer, client_id: request.client_id, client_secret: request.client_secret ?? null })
    const entered = store.enteredClient(server_id, issuer)
    if (entered) return Promise.resolve(mcpSuccess(enteredClient(entered, server)))
    return registerClient(networkOf(admitted), server_id, server, redirect_uri, scope)
  }

  /** Exchanges the code for tokens, when the browser has brought it. */
  async function finish(
    admitted: HttpAdmission,
    callback: Callback,
    credentials: Credentials,
    code_verifier: string,
    isCurrent: () => boolean,
  ): Promise<McpOutcome<true>> {
    const { server } = admitted
    const { server_id } = server
    const came = await callback.result
    const failed = (why: string) => mcpFailed(mcpFailure('sign_in_failed', server_id, `the sign-in to ${server_id} failed: ${why}`))
    if (came.kind === 'refused') return failed(came.why === 'access_denied' ? 'it was denied in the browser' : came.why)
    const grant = { grant_type: 'authorization_code', code: came.code, redirect_uri: callback.redirect_uri, code_verifier }
    const answer = await requestTokens(networkOf(admitted), server_id, credentials, grant)
    if (!answer.ok) return answer
    if (answer.value.kind === 'rejected') return failed(`the authorization server did not accept it (${answer.value.why})`)
    // The user may have changed or removed the server while the browser was open: then the tokens have no owner.
    const now = admit(server, ports)
    if (!now.ok) return now
    if (!isCurrent()) {
      await revokeToken(networkOf(admitted), server_id, withTokens(credentials, answer.value.tokens, clock.now()))
      return failed('it was canceled')
    }
    store.write(server_id, withTokens({ ...credentials, signed_in_at: timestamp(clock.now()) }, answer.value.tokens, clock.now()))
    required.delete(server_id)
    done(server)
    return mcpSuccess(true)
  }

  /** The browser may still be on its way: its page is told that nothing came of it. */
  function dismiss(callback: Callback): void {
    callback.dismiss('You canceled this sign-in in Tandem. You are not signed in, and can close this tab.')
    const forget = () => {
      cancelTimer()
      callback.close()
      dismissed.delete(forget)
    }
    const cancelTimer = clock.after(mcpLimits.sign_in_ms, forget)
    dismissed.add(forget)
  }

  return {
    async begin(admitted, request) {
      const { server } = admitted
      const { server_id, url } = server
      const found = await find(admitted)
      if (!found.ok) return found
      const { server: authority, resource } = found.value
      const scope = scopeFor(found.value, required.get(server_id))
      const state = randomBytes(32).toString('base64url')
      const { issuer, sends_issuer } = authority
      // A port that the user named may still be used for the page of a canceled sign-in.
      if (request.redirect_port !== undefined) for (const forget of [...dismissed]) forget()
      const callback = await openCallback({ port: request.redirect_port ?? 0, state, issuer, sends_issuer })
      if (!callback) {
        const message = `port ${request.redirect_port} is used by another program`
        return mcpFailed(mcpFailure('sign_in_failed', server_id, message, { field: { field: 'redirect_port', message: 'is in use' } }))
      }
      const client = await clientFor(admitted, authority, request, callback.redirect_uri, scope)
      if (!client.ok) {
        callback.close()
        return client
      }
      endAll(server_id, `another sign-in to ${server_id} was started`)
      const verifier = randomBytes(32).toString('base64url')
      const { token_endpoint, revocation_endpoint } = authority
      const endpoints = { url, issuer, token_endpoint, revocation_endpoint, resource, client: client.value }
      const credentials = { ...endpoints, access_token: null, refresh_token: null, obtained_at: 0, expires_at: null, signed_in_at: '' }
      const stopped = Promise.withResolvers<McpOutcome<true>>()
      const end = (failure: McpFailure) => stopped.resolve(mcpFailed(failure))
      const tooLate = mcpFailure('sign_in_failed', server_id, `the sign-in to ${server_id} was not finished in time`)
      const cancel = clock.after(mcpLimits.sign_in_ms, () => end(tooLate))
      const sign_in_id = randomUUID()
      const finished = finish(admitted, callback, credentials, verifier, () => pending.has(sign_in_id))
      const ended = Promise.race([finished, stopped.promise]).finally(() => {
        cancel()
        if (entry.cancel) callback.close()
        entry.cancel = null
      })
      const entry: Pending = {
        server_id,
        ended,
        end,
        cancel() {
          entry.cancel = null
          dismiss(callback)
          end(mcpFailure('canceled', server_id, `the sign-in to ${server_id} was canceled`))
        },
      }
      pending.set(sign_in_id, entry)
      return mcpSuccess({
        sign_in_id,
        server_id,
        authorization_url: authorizationUrl(authority, {
          client_id: client.value.client_id,
          redirect_uri: callback.redirect_uri,
          state,
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          resource,
          scope,
        }),
        issuer,
        hosts: hostsOf(authority),
        scope,
        redirect_uri: callback.redirect_uri,
        expires_at: timestamp(clock.now() + mcpLimits.sign_in_ms),
      })
    },
    cancel(sign_in_id) {
      const found = pending.get(sign_in_id)
      if (!found?.cancel) {
        const message = found ? 'the sign-in has already ended' : 'there is no such sign-in'
        return mcpFailed(mcpFailure('unknown_sign_in', sign_in_id, message))
      }
      found.cancel()
      pending.delete(sign_in_id)
      return mcpSuccess({ server_id: found.server_id })
    },
    async wait(sign_in_id, ms) {
      const found = pending.get(sign_in_id)
      if (!found) return mcpFailed(mcpFailure('unknown_sign_in', sign_in_id, 'there is no such sign-in'))
      const over = new AbortController()
      const late = sleep(clock, ms, over.signal).then(
        () => null,
        () => null,
      )
      const outcome = await Promise.race([found.ended, late])
      over.abort()
      if (!outcome) return mcpSuccess('waiting')
      return outcome.ok ? mcpSuccess('signed_in') : outcome
    },
    async signOut(server) {
      const credentials = store.read(server)
      const consent = ports.consents.get(server.server_id)
      endAll(server.server_id, `you signed out of ${server.server_id}`)
      store.remove(server.server_id)
      if (credentials && consent) await revokeToken(networkOf({ server, consent }), server.server_id, credentials)
    },
    signedIn(server) {
      const credentials = store.read(server)
      if (!credentials || credentials.access_token === null) return null
      const { issuer, signed_in_at, expires_at } = credentials
      return { issuer, signed_in_at, expires_at: expires_at === null ? null : timestamp(expires_at) }
    },
    authorizer: authorizerOf,
    forget: (server_id) => endAll(server_id, `${server_id} was removed`),
    stop() {
      for (const { server_id, end } of pending.values()) end(mcpFailure('sign_in_failed', server_id, 'Tandem was stopped'))
      pending.clear()
      for (const forget of [...dismissed]) forget()
    },
  }
}
