// Parses postgres://user@host:port/database?sslmode=…&sslrootcert=…&pooler=transaction. A password is never part of it.
import { isAbsolute } from 'node:path'

const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type TlsMode = (typeof tlsModes)[number]

export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** The value of sslmode. `require` with sslrootcert is `verify-ca`, as in libpq. */
  readonly tls: TlsMode
  /** The file of sslrootcert: the authorities to trust instead of those included in Node. */
  readonly root_certificate?: string
  /** Behind a transaction pooler: no prepared statements, no settings outside of a transaction. */
  readonly pooled: boolean
  /** The socket file to use instead of host and port. */
  readonly socket?: string
}

export type DatabaseUrl =
  | { readonly ok: true; readonly address: DatabaseAddress }
  | { readonly ok: false; readonly code: 'malformed' | 'refused'; readonly cause: string; readonly remedy: string }

const options = ['sslmode', 'sslrootcert', 'pooler']

const shape = 'use the form postgres://user@host:5432/database'

export function parseDatabaseUrl(text: string): DatabaseUrl {
  const url = URL.parse(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return malformed('is not a postgres:// URL')
  if (url.password !== '') {
    return { ok: false, code: 'refused', cause: 'contains a password', remedy: 'remove it and set it in its own variable' }
  }
  if (url.searchParams.has('password')) {
    return { ok: false, code: 'refused', cause: 'contains a password in its options', remedy: 'remove it and set it in its own variable' }
  }
  const host = decode(url.hostname.replace(/^\[(.*)\]$/, '$1'))
  const user = decode(url.username)
  const database = decode(url.pathname.slice(1))
  if (host === undefined || user === undefined || database === undefined) return malformed('has an invalid % escape')
  if (host === '') return malformed('has no host')
  if (user === '') return malformed('has no user')
  if (database === '' || database.includes('/')) return malformed('has no database')
  if (url.hash !== '') return malformed('has a fragment')

  for (const name of url.searchParams.keys()) {
    if (!options.includes(name)) return malformed('has an option other than sslmode, sslrootcert and pooler')
  }
  const wantedTls = url.searchParams.get('sslmode') ?? 'prefer'
  const tls = tlsModes.find((mode) => mode === wantedTls)
  if (!tls) return malformed(`has an sslmode other than ${tlsModes.join(', ')}`)
  const root = url.searchParams.get('sslrootcert')
  if (root !== null && !isAbsolute(root)) return malformed('has an sslrootcert that is not an absolute path')
  if (root !== null && (tls === 'disable' || tls === 'prefer'))
    return malformed('has an sslrootcert, but its sslmode does not verify certificates')
  const pooler = url.searchParams.get('pooler')
  if (pooler !== null && pooler !== 'transaction' && pooler !== 'none')
    return malformed('has a pooler that is neither transaction nor none')

  const port = url.port === '' ? 5432 : Number(url.port)
  if (port === 0) return malformed('has port 0')
  const trust = root === null ? { tls } : { tls: tls === 'require' ? ('verify-ca' as const) : tls, root_certificate: root }
  const address = { host, port, user, database, ...trust, pooled: pooler === 'transaction' }
  return { ok: true, address: host.startsWith('/') ? { ...address, tls: 'disable', socket: `${host}/.s.PGSQL.${port}` } : address }
}

function malformed(cause: string): DatabaseUrl {
  return { ok: false, code: 'malformed', cause, remedy: shape }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
