// Compares host patterns of a `network_scope`: which hosts one pattern allows and another does not.
import { isIP } from 'node:net'

interface HostPattern {
  /** `*`, `*.example.org`, a name or an address, normalized. */
  readonly host: string
  readonly port: string | null
}

/** The hosts that both lists allow. */
export function intersectHosts(left: readonly string[], right: readonly string[]): string[] {
  const both = parsedAll(left).flatMap((one) => parsedAll(right).flatMap((other) => overlap(one, other) ?? []))
  return [...new Set(both.map(textOf))]
}

/** Whether `outer` allows every host that `inner` allows. */
export function coversHosts(outer: readonly string[], inner: readonly string[]): boolean {
  const wide = parsedAll(outer)
  return parsedAll(inner).every((pattern) => wide.some((one) => isWithinHost(pattern.host, one.host) && isWithinPort(pattern, one)))
}

function overlap(one: HostPattern, other: HostPattern): HostPattern | null {
  const host = isWithinHost(one.host, other.host) ? one.host : isWithinHost(other.host, one.host) ? other.host : null
  const isPortShared = isWithinPort(one, other) || isWithinPort(other, one)
  return host !== null && isPortShared ? { host, port: one.port ?? other.port } : null
}

/**
 * An address or `localhost` is allowed only by its exact name: listing it gives access to private addresses, which no wildcard does. For a
 * public address this is stricter than necessary.
 */
function isWithinHost(inner: string, outer: string): boolean {
  if (inner === outer) return true
  if (isIP(inner) !== 0 || inner === 'localhost') return false
  return outer === '*' || (outer.startsWith('*.') && inner.endsWith(outer.slice(1)))
}

function isWithinPort(inner: HostPattern, outer: HostPattern): boolean {
  return outer.port === null || inner.port === outer.port
}

function parsedAll(hosts: readonly string[]): HostPattern[] {
  return hosts.flatMap((text) => parsed(text) ?? [])
}

/** Null if the sandbox does not understand the pattern either: it matches no host. */
function parsed(text: string): HostPattern | null {
  const pattern = text.trim()
  if (isIP(pattern) === 6) return withHost(`[${pattern}]`, null)
  const [, name = '', digits] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(pattern) ?? []
  if (name === '') return null
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return null
  if (name === '*') return { host: '*', port: port === null ? null : String(port) }
  if (!name.startsWith('*.')) return withHost(name, port)
  const below = withHost(name.slice(2), port)
  return below && isIP(below.host) === 0 ? { ...below, host: `*.${below.host}` } : null
}

/** All spellings of an address (`0x7f.1`, `2130706433`) are normalized to one. */
function withHost(name: string, port: number | null): HostPattern | null {
  if (/[/\\?#@\s%*]/.test(name)) return null
  const host = URL.parse(`http://${name}/`)
    ?.hostname.replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  return host ? { host, port: port === null ? null : String(port) } : null
}

function textOf({ host, port }: HostPattern): string {
  const name = isIP(host) === 6 ? `[${host}]` : host
  return port === null ? name : `${name}:${port}`
}
