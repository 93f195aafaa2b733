// Hosts that the program of a server tried to reach although its user did not allow them, and how to allow them.
import type { Violation } from '../../call/scope.ts'
import { allowedByBoth } from '../host-overlap.ts'

export interface RefusedHosts {
  /** From the sandbox; anything but a refused connection is ignored. */
  note(violation: Violation): void
  /** As patterns of a network scope, oldest first. */
  all(): readonly string[]
  /** Calls back for every refusal from now on; returns a function that ends it. */
  listen(listener: (host: string) => void): () => void
}

const most = 20

/** `first`: a host is refused for the first time. */
export function refusedHosts(first: (host: string) => void): RefusedHosts {
  const known = new Set<string>()
  const listeners = new Set<(host: string) => void>()
  return {
    note({ attempted, resource, blocked }) {
      if (attempted !== 'network' || !blocked) return
      for (const host of patternsOf(resource)) {
        const isNew = !known.has(host) && known.size < most
        if (isNew) known.add(host)
        if (isNew) first(host)
        for (const listener of listeners) listener(host)
      }
    },
    all: () => [...known],
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A report is `host:port`, or `host:port (address)` for a name that leads into a private network: then both must be allowed. */
export function patternsOf(resource: string): string[] {
  const [, host = '', port = '', address] = /^(\[[^\]\s]+\]|[^\s:]+):(\d{1,5})(?: \(([^\s)]+)\))?$/.exec(resource) ?? []
  if (host === '' || !/^[\w.[\]:-]+$/.test(host)) return []
  const pattern = port === '443' || port === '80' ? host : `${host}:${port}`
  if (address === undefined || address === host) return [pattern]
  return [pattern, `${address.includes(':') ? `[${address}]` : address}:${port}`]
}

export interface Grants {
  readonly server_id: string
  /** What is allowed now: an approval replaces the earlier one, so the command has to repeat it. */
  readonly network_hosts: readonly string[]
}

/** How to allow the hosts. */
export function grantRemedy({ server_id, network_hosts }: Grants, hosts: readonly string[]): string {
  const closed = hosts.filter((host) => allowedByBoth([host], network_hosts).length === 0)
  if (closed.length === 0) return `Add ${hosts.join(', ')} to the network scope of the tool in the agent's policy.`
  const options = [...new Set([...network_hosts, ...closed])].map((host) => `--host ${host}`)
  return `If that is intended, allow it with: tandem mcp consent ${server_id} ${options.join(' ')}`
}

export function refusalText(server_id: string, hosts: readonly string[]): string {
  return `${server_id} tried to reach ${hosts.join(', ')}, which ${hosts.length === 1 ? 'is' : 'are'} not allowed`
}
