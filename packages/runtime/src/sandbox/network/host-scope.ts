// The rule of `network_scope`: which hosts and ports a list of patterns allows, and how far. Pure; resolving names is done elsewhere.
import { isIP } from 'node:net'
import { type AddressKind, addressKind, canonicalHost } from './address.ts'

/**
 * `public_only`: a pattern matches, but only addresses of the public internet are meant. `named`: this very host and port are named, so that
 * its address may be any.
 */
export type HostVerdict = 'no' | 'public_only' | 'named'

export interface HostPattern {
  /** `*`, `*.example.org`, a name or an address, in the spelling of `canonicalHost`. */
  readonly host: string
  readonly port: number | null
}

/** Patterns are `example.org`, `*.example.org` (not `example.org` itself) or `*`, with or without `:port`. What is malformed matches nothing. */
export function allows(hosts: readonly string[], host: string, port: number): HostVerdict {
  const canonical = canonicalHost(host)
  if (canonical === null) return 'no'
  const matching = hosts.map(parsePattern).filter((pattern) => pattern !== null && matches(pattern, canonical, port))
  if (matching.length === 0) return 'no'
  const literal = matching.some((pattern) => pattern?.host === canonical)
  // A name that is listed says nothing about where it points: whoever owns it could point it here. `localhost` and addresses can't move.
  return literal && (isIP(canonical) !== 0 || canonical === 'localhost') ? 'named' : 'public_only'
}

/**
 * Whether `host`, resolved to `address`, may be connected to. A private address behind a name needs to be named itself, beside the name.
 * `localhost` stands for loopback and nothing else.
 */
export function allowsAddress(hosts: readonly string[], host: string, port: number, address: string): boolean {
  const kind = addressKind(address)
  if (kind === 'public') return true
  if (allows(hosts, address, port) === 'named') return true
  return kind === 'loopback' && canonicalHost(host) === 'localhost' && allows(hosts, host, port) === 'named'
}

/** What `trusted` lets pass with a warning: the person's own machines. Metadata services and addresses that are no host stay closed. */
export const passesWhenTrusted: readonly AddressKind[] = ['loopback', 'private', 'shared']

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
