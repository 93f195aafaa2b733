// Parses CACHE_URL: one Redis, a Cluster, or Sentinels that know which Redis is the primary. A password is never part of it.
import { isAbsolute } from 'node:path'

export interface CacheNode {
  readonly host: string
  readonly port: number
}

interface CommonAddress {
  /** At least one. For a Cluster and for Sentinels, the nodes from which the others are discovered. */
  readonly nodes: readonly [CacheNode, ...CacheNode[]]
  /** A user of the Redis access control list; otherwise the default user. */
  readonly user?: string
  readonly tls: boolean
  /** The file of sslrootcert: the authorities to trust instead of those included in Node. */
  readonly root_certificate?: string
}

export type CacheAddress =
  | (CommonAddress & { readonly kind: 'single'; readonly database: number })
  | (CommonAddress & { readonly kind: 'cluster' })
  /** `primary` is the name under which the Sentinels monitor it. */
  | (CommonAddress & { readonly kind: 'sentinel'; readonly primary: string; readonly database: number })

type Refused = { readonly ok: false; readonly code: 'malformed' | 'refused'; readonly cause: string; readonly remedy: string }
export type CacheUrl = { readonly ok: true; readonly address: CacheAddress } | Refused

export const cacheUrlShape =
  'set redis://host:6379, redis+cluster://host:6379,host:6379 or redis+sentinel://host:26379,host:26379/primary (with TLS rediss://…)'

const parts =
  /^redis(?<secure>s?)(?:\+(?<kind>cluster|sentinel))?:\/\/(?:(?<user>[^@/?#]*)@)?(?<hosts>[^@/?#]*)(?<path>\/[^?#]*)?(?<query>\?[^#]*)?$/
const hostAndPort = /^(?<host>\[[0-9a-fA-F:.]+\]|[^\s:[\]]+)(?::(?<port>\d{1,5}))?$/
const decimal = /^\d{1,5}$/

export function parseCacheUrl(text: string): CacheUrl {
  const groups = parts.exec(text)?.groups
  if (!groups) return malformed('is not a redis:// URL')
  const { secure, user: userPart = '', hosts = '', path = '', query = '' } = groups
  const kind = groups.kind === 'cluster' || groups.kind === 'sentinel' ? groups.kind : 'single'
  if (userPart.includes(':'))
    return { ok: false, code: 'refused', cause: 'contains a password', remedy: 'remove it and set CACHE_PASSWORD' }
  if (hosts === '') return malformed('has no host')
  const user = decode(userPart)
  const names = decode(path.slice(1))?.split('/')
  if (user === undefined || names === undefined) return malformed('has an invalid % escape')
  const [first, ...rest] = hosts.split(',').map((entry) => nodeOf(entry, kind === 'sentinel' ? 26_379 : 6_379))
  const others = rest.filter((node) => node !== undefined)
  if (!first || others.length < rest.length) return malformed('has a host or port that cannot be read')
  if (kind === 'single' && others.length > 0) return malformed('has several hosts; use redis+cluster:// or redis+sentinel://')

  const options = new URLSearchParams(query)
  for (const name of options.keys()) if (name !== 'sslrootcert') return malformed('has an option other than sslrootcert')
  const root = options.get('sslrootcert')
  if (root !== null && !isAbsolute(root)) return malformed('has an sslrootcert that is not an absolute path')
  if (root !== null && secure !== 's') return malformed('has an sslrootcert, but no TLS; use rediss://')

  const common: CommonAddress = {
    nodes: [first, ...others],
    ...(user === '' ? {} : { user }),
    tls: secure === 's',
    ...(root === null ? {} : { root_certificate: root }),
  }
  return withPath(common, kind, names)
}

function withPath(common: CommonAddress, kind: CacheAddress['kind'], names: readonly string[]): CacheUrl {
  const primary = kind === 'sentinel' ? names[0] : undefined
  const [number = '', ...more] = primary === undefined ? names : names.slice(1)
  if (kind === 'cluster') {
    if (number !== '' || more.length > 0) return malformed('has a path; a Cluster has no database numbers')
    return { ok: true, address: { ...common, kind } }
  }
  if (kind === 'sentinel' && !primary) return malformed('does not name the primary')
  if ((number !== '' && !decimal.test(number)) || more.length > 0) return malformed('has a path that is not a database number')
  const database = Number(number)
  return { ok: true, address: primary ? { ...common, kind: 'sentinel', primary, database } : { ...common, kind: 'single', database } }
}

function nodeOf(entry: string, usualPort: number): CacheNode | undefined {
  const { host, port } = hostAndPort.exec(entry)?.groups ?? {}
  if (host === undefined || Number(port) > 65_535) return undefined
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: port === undefined ? usualPort : Number(port) }
}

function malformed(cause: string): Refused {
  return { ok: false, code: 'malformed', cause, remedy: cacheUrlShape }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
