// The hosts of a policy, in the form that the proxy of the OS sandbox accepts.
import { isIP } from 'node:net'

export interface HostList {
  /** For `registerCommandNetworkLists`. */
  readonly named: readonly string[]
  /** `all` if the policy has `*`: every public host. */
  readonly open: 'none' | 'all'
  /** Patterns that are too wide or too vague for the proxy to enforce (`*.com`, `*:443`, names without a dot); they allow nothing. */
  readonly refused: readonly string[]
}

export function hostList(hosts: readonly string[]): HostList {
  const named: string[] = []
  const refused: string[] = []
  let all = false
  for (const pattern of hosts) {
    const [host, port] = split(pattern.trim().toLowerCase())
    if (host === '*' && port === null) all = true
    else if (isHolding(host)) named.push(`${isIP(host) === 6 ? `[${host}]` : host}${port === null ? '' : `:${port}`}`)
    else refused.push(pattern)
  }
  return { named, open: all ? 'all' : 'none', refused }
}

/** What clients reach without the proxy: loopback inside the sandbox, unless the policy lists the loopback of the host. */
export function noProxyHosts(list: HostList): string {
  const names = list.named.map((entry) => split(entry)[0])
  return ['localhost', '127.0.0.1', '::1'].filter((name) => !names.includes(name)).join(',')
}

function split(pattern: string): [string, number | null] {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(pattern)
  if (bracketed?.[1]) return [bracketed[1], bracketed[2] ? Number(bracketed[2]) : null]
  if (isIP(pattern) === 6) return [pattern, null]
  const ported = /^([^:]+):(\d{1,5})$/.exec(pattern)
  return ported?.[1] ? [ported[1], Number(ported[2])] : [pattern, null]
}

/** A name with a dot, `*.` before such a name, an address, or localhost. `*.com` would allow a huge number of hosts by accident. */
function isHolding(host: string): boolean {
  if (isIP(host) !== 0 || host === 'localhost') return true
  const name = host.startsWith('*.') ? host.slice(2) : host
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(name)
}
