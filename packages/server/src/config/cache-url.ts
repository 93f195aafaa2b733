// Parses CACHE_URL: redis://user@host:port/database, or rediss:// with TLS. A password is never part of it.
import { isAbsolute } from 'node:path'

export interface CacheAddress {
  readonly host: string
  readonly port: number
  /** A user of Redis' access control list; without one, the default user. */
  readonly user?: string
  readonly database: number
  readonly tls: boolean
  /** The file of sslrootcert: the authorities to trust instead of those that Node includes. */
  readonly root_certificate?: string
}

export type CacheUrl =
  | { readonly ok: true; readonly address: CacheAddress }
  | { readonly ok: false; readonly code: 'malformed' | 'refused'; readonly cause: string; readonly remedy: string }

export const cacheUrlShape = 'set redis://host:6379 or rediss://host:6379'

const scheme = /^redis(s?):\/\//
const decimal = /^\d{1,5}$/

export function parseCacheUrl(text: string): CacheUrl {
  const [start = '', secure] = scheme.exec(text) ?? []
  const url = start === '' ? null : URL.parse(`redis://${text.slice(start.length)}`)
  if (!url) return malformed('is not a redis:// address')
  if (url.password !== '')
    return { ok: false, code: 'refused', cause: 'has a password inside', remedy: 'take it out and set CACHE_PASSWORD' }
  if (url.hostname === '') return malformed('names no host')
  if (url.hash !== '') return malformed('has a # part')
  const user = decode(url.username)
  if (user === undefined) return malformed('has a broken % escape')
  const database = url.pathname.replace(/^\//, '') || '0'
  if (!decimal.test(database)) return malformed('has more than host, port and database number')

  for (const name of url.searchParams.keys()) {
    if (name !== 'sslrootcert') return malformed('has an option other than sslrootcert')
  }
  const root = url.searchParams.get('sslrootcert')
  if (root !== null && !isAbsolute(root)) return malformed('has an sslrootcert that is not an absolute path')
  if (root !== null && secure !== 's') return malformed('has an sslrootcert, but no TLS; write rediss://')
  return {
    ok: true,
    address: {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? 6379 : Number(url.port),
      ...(user === '' ? {} : { user }),
      database: Number(database),
      tls: secure === 's',
      ...(root === null ? {} : { root_certificate: root }),
    },
  }
}

function malformed(cause: string): CacheUrl {
  return { ok: false, code: 'malformed', cause, remedy: cacheUrlShape }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
