// Requests to the token endpoint: a code or a refresh token for an access token, and the end of a sign-in.
import { visible } from '../definition.ts'
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import { addressFault } from './address.ts'
import type { Credentials, OAuthClient } from './credentials.ts'
import { type JsonResponse, requestJson, type SignInNetwork, unsafe } from './request.ts'

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string | null
  readonly lifetime_ms: number | null
}

/** `rejected`: the authorization server does not accept the code, the refresh token or the client; asking again would not help. */
export type TokenResult = { readonly kind: 'tokens'; readonly tokens: Tokens } | { readonly kind: 'rejected'; readonly why: string }

type Endpoint = Pick<Credentials, 'token_endpoint' | 'client' | 'resource'>

export async function requestTokens(
  network: SignInNetwork,
  server_id: string,
  { token_endpoint, client, resource }: Endpoint,
  grant: Readonly<Record<string, string>>,
): Promise<McpOutcome<TokenResult>> {
  const answer = await post(network, server_id, token_endpoint, client, { ...grant, resource })
  if (!answer.ok) return answer
  const { status, document } = answer.value
  if (status >= 500 || status === 429) return failed(server_id, `the authorization server responded with ${status}`)
  if (status < 200 || status > 299) return mcpSuccess({ kind: 'rejected', why: errorText(answer.value) })
  const tokens = readTokens(document)
  return typeof tokens === 'string' ? unsafe(server_id, `the token response ${tokens}`) : mcpSuccess({ kind: 'tokens', tokens })
}

/** RFC 7009. The sign-out does not depend on the response. */
export async function revokeToken(network: SignInNetwork, server_id: string, credentials: Credentials): Promise<void> {
  const token = credentials.refresh_token ?? credentials.access_token
  if (credentials.revocation_endpoint === null || token === null) return
  if (addressFault(credentials.revocation_endpoint, credentials.url)) return
  await post(network, server_id, credentials.revocation_endpoint, credentials.client, { token })
}

function post(network: SignInNetwork, server_id: string, url: string, client: OAuthClient, fields: Readonly<Record<string, string>>) {
  const body = new URLSearchParams(fields)
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  const { client_id, client_secret, auth_method } = client
  if (auth_method === 'client_secret_basic' && client_secret !== null) {
    const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    body.set('client_id', client_id)
    if (auth_method === 'client_secret_post' && client_secret !== null) body.set('client_secret', client_secret)
  }
  return requestJson(network, server_id, { url, headers, body: body.toString() })
}

const longestToken = 16_384
/** Anything else could not be sent in a header. */
const tokenText = /^[\x21-\x7e]+$/

function readTokens(document: JsonResponse['document']): Tokens | string {
  if (!document) return 'is not a JSON object'
  const { access_token, refresh_token = null, token_type, expires_in } = document
  if (!isToken(access_token)) return 'has no valid access_token'
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') return 'does not contain a bearer token'
  if (refresh_token !== null && !isToken(refresh_token)) return 'has no valid refresh_token'
  const seconds = typeof expires_in === 'string' ? Number(expires_in) : expires_in
  const isLifetime = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0
  return { access_token, refresh_token, lifetime_ms: isLifetime ? Math.min(seconds, 10 * 365 * 86_400) * 1_000 : null }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestToken && tokenText.test(value)
}

function failed(server_id: string, why: string) {
  return mcpFailed(mcpFailure('sign_in_failed', server_id, `the sign-in to ${server_id} failed: ${why}`))
}

/** The reason in the words of the authorization server. Its description can be anything, also what was sent to it: only its code is shown. */
export function errorText({ status, document }: JsonResponse): string {
  const code = document?.error
  const isCode = typeof code === 'string' && /^[\w.-]{1,64}$/.test(code)
  return isCode ? visible(code) : `status ${status}`
}
