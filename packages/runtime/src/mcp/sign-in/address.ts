// Which addresses a sign-in may use. They come from the MCP server and its authorization server, and both are untrusted.
import { isIP } from 'node:net'
import { addressKind, canonicalHost } from '../../sandbox/network/address.ts'
import { portOf } from '../../sandbox/network/follow-redirects.ts'

/** What is wrong with an address for the sign-in to the MCP server at `server_url`, or null. Continues a sentence about the address. */
export function addressFault(address: string, server_url: string): string | null {
  const url = address.length > 2_048 ? null : URL.parse(address)
  const host = url && canonicalHost(url.hostname)
  if (!url || !host) return 'is not a valid address'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'does not use https'
  if (url.username !== '' || url.password !== '') return 'contains a user name or password'
  if (url.hash !== '') return 'contains a fragment'
  const server = canonicalHost(new URL(server_url).hostname) ?? ''
  if (isLoopback(host)) return isLoopback(server) ? null : 'is on this device, but the MCP server is not'
  if (url.protocol !== 'https:') return 'does not use https'
  // A name is checked when it is resolved; an address that is written out would pass that check.
  if (isIP(host) !== 0 && addressKind(host) !== 'public' && host !== server) return 'is in a private network, but the MCP server is not'
  return null
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && addressKind(host) === 'loopback')
}

/** As a pattern of a network scope. */
export function hostPattern(address: string): string {
  const url = new URL(address)
  return `${url.hostname}:${portOf(url)}`
}

/** Identifiers of authorization servers are compared as text; only a slash at the end is ignored, which many add. */
export function isSameIssuer(left: string, right: string): boolean {
  return left.replace(/\/$/, '') === right.replace(/\/$/, '')
}

/** A server may name itself, or a folder that contains its address: tokens for anything else are not requested. */
export function coversServer(resource: string, server_url: string): boolean {
  const named = URL.parse(resource)
  const server = new URL(server_url)
  if (!named || named.origin !== server.origin || named.search !== '' || named.hash !== '') return false
  const folder = named.pathname.endsWith('/') ? named.pathname : `${named.pathname}/`
  return `${server.pathname}/`.startsWith(folder)
}
