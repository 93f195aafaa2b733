// The page of the authorization server that a user opens, and what is asked for there.
import { readScope } from './challenge.ts'
import type { Discovery } from './discovery.ts'
import type { AuthorizationServer } from './metadata.ts'

/** What is asked for: what the server names, and what its calls required. */
export function scopeFor({ scope, server }: Discovery, required: string | undefined): string | null {
  const words = [scope ?? '', required ?? ''].join(' ').trim()
  // Without it, many servers issue no refresh token.
  return readScope(words === '' ? [] : [...words.split(' '), ...(server.offers_offline_access ? ['offline_access'] : [])])
}

interface AuthorizationParameters {
  readonly client_id: string
  readonly redirect_uri: string
  readonly state: string
  readonly code_challenge: string
  readonly resource: string
  readonly scope: string | null
}

export function authorizationUrl(
  { authorization_endpoint }: AuthorizationServer,
  { scope, ...parameters }: AuthorizationParameters,
): string {
  const url = new URL(authorization_endpoint)
  const all = { response_type: 'code', code_challenge_method: 'S256', ...parameters, ...(scope === null ? {} : { scope }) }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  if (scope?.split(' ').includes('offline_access')) url.searchParams.set('prompt', 'consent')
  return url.href
}

/** All hosts that take part, that of the authorization server first. */
export function hostsOf({ issuer, authorization_endpoint, token_endpoint, registration_endpoint }: AuthorizationServer): string[] {
  const addresses = [issuer, authorization_endpoint, token_endpoint, ...(registration_endpoint === null ? [] : [registration_endpoint])]
  return [...new Set(addresses.map((address) => new URL(address).host))]
}
