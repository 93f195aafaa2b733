// The rule of `network_scope`: which hosts and ports a list of patterns allows, and to what extent. Pure; names are resolved elsewhere.
import { isIP } from 'node:net'
import { type AddressKind, addressKind, canonicalHost } from './address.ts'

/**
 * `public_only`: a pattern matches, but only public addresses are allowed. `named`: exactly this host and port are listed, so any address is
 * allowed.
 */
export type HostVerdict = 'no' | 'public_only' | 'named'

export interface HostPattern {
  /** `*`, `*.example.org`, a name or an address, in the spelling of `canonicalHost`. */
  readonly host: string
  readonly port: number | null
}

/** Patterns are `example.org`, `*.example.org` (not `example.org` itself) or `*`, with or without `:port`. A malformed pattern matches nothing. */
export function allowsHost(hosts: readonly string[], host: string, port: number): HostVerdict {
  const canonical = canonicalHost(host)
  if (canonical === null) return 'no'
  const matching = hosts.map(parsePattern).filter((pattern) => pattern !== null && matches(pattern, canonical, port))
  if (matching.length === 0) return 'no'
  const literal = matching.some((pattern) => pattern?.host === canonical)
  // A listed name does not determine its address: its owner could point it to this machine. `localhost` and addresses cannot change.
  return literal && (isIP(canonical) !== 0 || canonical === 'localhost') ? 'named' : 'public_only'
}

/**
 * Whether `host`, resolved to `address`, may be connected to. A private address of a name must be listed itself, in addition to the name.
 * `localhost` means loopback only.
 */
export function allowsAddress(hosts: readonly string[], host: string, port: number, address: string): boolean {
  const kind = addressKind(address)
  if (kind === 'public') return true
  if (allowsHost(hosts, address, port) === 'named') return true
  return kind === 'loopback' && canonicalHost(host) === 'localhost' && allowsHost(hosts, host, port) === 'named'
}

/** What `trusted` allows with a warning: the user's own machines. Metadata services and addresses that are not hosts stay blocked. */
export const allowedWhenTrusted: readonly AddressKind[] = ['loopback', 'private', 'shared']

export function parsePattern(text: string): HostPattern | null {
  const pattern = text.trim()
  if (isIP(pattern) === 6) return { host: canonicalHost(pattern) ?? pattern, port: null }
  const parts = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(pattern)
  if (!parts) return null
  const [, name = '', digits] = parts
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return null
  if (name === '*') return { host: '*', port }
  const wildcard = name.startsWith('*.')
  const host = canonicalHost(wildcard ? name.slice(2) : name)
  if (host === null || host.includes('*') || (wildcard && isIP(host) !== 0)) return null
  return { host: wildcard ? `*.${host}` : host, port }
}

function matches(pattern: HostPattern, host: string, port: number): boolean {
  if (pattern.port !== null && pattern.port !== port) return false
  if (pattern.host === '*' || pattern.host === host) return true
  return pattern.host.startsWith('*.') && isIP(host) === 0 && host.endsWith(pattern.host.slice(1))
}
