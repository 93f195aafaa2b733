// The documents that describe a sign-in: what the MCP server says about itself (RFC 9728), and the authorization server (RFC 8414, OpenID
// Connect Discovery). Only what is needed is read, and all of it is checked.
import { addressFault, coversServer, isSameIssuer } from './address.ts'
import { readScope } from './challenge.ts'

export interface ResourceMetadata {
  readonly resource: string
  readonly issuer: string
  readonly scope: string | null
}

export interface AuthorizationServer {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint: string | null
  readonly revocation_endpoint: string | null
  /** How a client may prove itself at the token endpoint; null if the server does not say. */
  readonly auth_methods: readonly string[] | null
  readonly offers_offline_access: boolean
  /** It adds its identifier to the response in the browser (RFC 9207). */
  readonly sends_issuer: boolean
}

/** A string is a fault: what is wrong with the document. */
export type Read<Value> = Value | string

type Document = Readonly<Record<string, unknown>>

/** Where the metadata of the MCP server may be, most specific first. */
export function resourceMetadataAddresses(server_url: string): string[] {
  const { origin, pathname } = new URL(server_url)
  const root = `${origin}/.well-known/oauth-protected-resource`
  return pathname === '/' ? [root] : [`${root}${pathname.replace(/\/$/, '')}`, root]
}

/** Where the metadata of an authorization server may be: with its path inserted after the well-known part, and as OpenID Connect puts it. */
export function authorizationServerAddresses(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const plain = [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}/.well-known/openid-configuration${path}`]
  return path === '' ? plain : [...plain, `${origin}${path}/.well-known/openid-configuration`]
}

export function readResourceMetadata(document: Document, server_url: string): Read<ResourceMetadata> {
  const { resource, authorization_servers, scopes_supported } = document
  if (typeof resource !== 'string' || !coversServer(resource, server_url)) return `describes another server than ${server_url}`
  const [issuer] = Array.isArray(authorization_servers) ? authorization_servers : []
  if (typeof issuer !== 'string') return 'names no authorization server'
  const fault = addressFault(issuer, server_url)
  if (fault) return `names an authorization server whose address ${fault}`
  if (new URL(issuer).search !== '') return 'names an authorization server whose address contains a query'
  return { resource, issuer, scope: readScope(scopes_supported) }
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const

export function readAuthorizationServer(document: Document, issuer: string, server_url: string): Read<AuthorizationServer> {
  if (typeof document.issuer !== 'string' || !isSameIssuer(document.issuer, issuer))
    return `belongs to another authorization server than ${issuer}`
  const found: Partial<Record<(typeof endpoints)[number], string>> = {}
  for (const name of endpoints) {
    const value = document[name]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') return `has a ${name} that is not an address`
    const fault = addressFault(value, server_url)
    if (fault) return `has a ${name} that ${fault}`
    found[name] = value
  }
  const { authorization_endpoint, token_endpoint, registration_endpoint = null, revocation_endpoint = null } = found
  if (authorization_endpoint === undefined) return 'has no authorization_endpoint'
  if (token_endpoint === undefined) return 'has no token_endpoint'
  if (!texts(document.code_challenge_methods_supported)?.includes('S256')) return 'does not offer PKCE with S256, which is required'
  const responses = texts(document.response_types_supported)
  if (responses && !responses.includes('code')) return 'does not offer authorization codes'
  return {
    issuer: document.issuer,
    authorization_endpoint,
    token_endpoint,
    registration_endpoint,
    revocation_endpoint,
    auth_methods: texts(document.token_endpoint_auth_methods_supported),
    offers_offline_access: texts(document.scopes_supported)?.includes('offline_access') ?? false,
    sends_issuer: document.authorization_response_iss_parameter_supported === true,
  }
}

function texts(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : null
}
