// The scheme of BAAS_URL selects the platform; BAAS_KEY authenticates the server.
import { join, resolve } from 'node:path'
import { parseDatabaseUrl } from './database-url.ts'
import type { VariableReader } from './reader.ts'
import { readStorage, type StorageTarget } from './storage.ts'
import type { Environment } from './variables.ts'

export type Platform =
  | { readonly kind: 'embedded'; readonly dir: string; readonly password: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly password: string; readonly storage: StorageTarget }
  | {
      readonly kind: 'supabase'
      readonly url: string
      readonly service_key: string
      readonly database_url: string
      readonly database_password: string
    }

export type PlatformKind = Platform['kind'] | 'unknown'

const storageNames = ['STORAGE_URL', 'STORAGE_ACCESS_KEY', 'STORAGE_SECRET_KEY'] as const
const supabaseNames = ['DATABASE_URL', 'DATABASE_PASSWORD', 'BAAS_JWKS'] as const

export function platformKind(baasUrl: string | undefined): PlatformKind {
  if (baasUrl === undefined || baasUrl === '' || baasUrl.startsWith('embedded:')) return 'embedded'
  if (/^postgres(ql)?:/.test(baasUrl)) return 'postgres'
  return /^https?:/.test(baasUrl) ? 'supabase' : 'unknown'
}

/** The folder of `embedded:DIR`, or the data folder of this machine if the address is unset. */
export function embeddedFolder(env: Environment): string {
  const named = env.BAAS_URL?.startsWith('embedded:') ? env.BAAS_URL.slice('embedded:'.length) : ''
  return resolve(named || env.DATA_DIR || join('.data', 'server'))
}

export function readPlatform(reader: VariableReader, env: Environment, production: boolean, dataDir: string): Platform | undefined {
  const remedy = 'set embedded:DIR, postgres://user@host/database or https://… of a Supabase project'
  const url = production ? reader.required('BAAS_URL', remedy) : reader.text('BAAS_URL')
  const kind = platformKind(url)
  const key = reader.required('BAAS_KEY', keyRemedy[kind])
  if (production && key !== undefined && /^<[^>]*>$/.test(key)) {
    reader.problem('BAAS_KEY', 'refused', 'looks like a placeholder', keyRemedy[kind])
  }
  if (kind === 'unknown' || (production && url === undefined)) {
    if (kind === 'unknown') reader.problem('BAAS_URL', 'malformed', 'does not have a known scheme', remedy)
    return undefined
  }
  if (kind !== 'postgres') reader.unused(storageNames, 'is only used with a postgres:// BAAS_URL')
  if (kind !== 'supabase') reader.unused(supabaseNames, 'is only used with the BAAS_URL of a Supabase project')
  if (kind === 'embedded') return readEmbedded(reader, env, url, key)
  return kind === 'postgres' ? readPostgres(reader, url, key, production, dataDir) : readSupabase(reader, url, key, production)
}

const keyRemedy = {
  embedded: 'set the password of the embedded PostgreSQL',
  postgres: 'set the password of the PostgreSQL role',
  supabase: 'set the service key of the project',
  unknown: 'set the key of the platform',
} as const satisfies Record<PlatformKind, string>

function readEmbedded(reader: VariableReader, env: Environment, url: string | undefined, key: string | undefined): Platform | undefined {
  if (url === 'embedded:') return reader.problem('BAAS_URL', 'malformed', 'has no folder', 'use the form embedded:/path/to/folder')
  return key === undefined ? undefined : { kind: 'embedded', dir: embeddedFolder(env), password: key }
}

function readPostgres(
  reader: VariableReader,
  url: string | undefined,
  password: string | undefined,
  production: boolean,
  dataDir: string,
): Platform | undefined {
  const storage = readStorage(reader, production, join(dataDir, 'files'))
  const address = readAddress(reader, 'BAAS_URL', 'BAAS_KEY', url, production)
  if (url === undefined || !address || password === undefined || !storage) return undefined
  return { kind: 'postgres', url, password, storage }
}

function readSupabase(
  reader: VariableReader,
  text: string | undefined,
  key: string | undefined,
  production: boolean,
): Platform | undefined {
  const database_url = reader.required('DATABASE_URL', "set the project's PostgreSQL: postgres://user@host/database")
  const database_password = reader.required('DATABASE_PASSWORD', "set the password of the project's PostgreSQL")
  const address =
    database_url === undefined ? undefined : readAddress(reader, 'DATABASE_URL', 'DATABASE_PASSWORD', database_url, production)
  const url = text === undefined ? undefined : URL.parse(text)
  if (!url) return reader.problem('BAAS_URL', 'malformed', 'is not an address', 'use https://host of the Supabase project')
  if (url.username !== '' || url.password !== '') {
    return reader.problem('BAAS_URL', 'refused', 'contains a user name or password', 'remove it; BAAS_KEY holds the key')
  }
  if (url.search !== '' || url.hash !== '') {
    return reader.problem('BAAS_URL', 'malformed', 'has a query or fragment', 'use only https://host of the Supabase project')
  }
  if (production && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    reader.note('BAAS_URL: requests to the project are not encrypted; use https:// unless the network is private')
  }
  if (key === undefined || database_url === undefined || database_password === undefined || !address) return undefined
  return { kind: 'supabase', url: url.href.replace(/\/+$/, ''), service_key: key, database_url, database_password }
}

function readAddress(
  reader: VariableReader,
  name: 'BAAS_URL' | 'DATABASE_URL',
  passwordName: 'BAAS_KEY' | 'DATABASE_PASSWORD',
  url: string | undefined,
  production: boolean,
): boolean {
  if (url === undefined) return false
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) {
    reader.problem(name, parsed.code, parsed.cause, parsed.code === 'refused' ? `remove it and set ${passwordName}` : parsed.remedy)
    return false
  }
  const { address } = parsed
  if (production && !address.socket && !isLoopback(address.host) && (address.tls === 'prefer' || address.tls === 'disable')) {
    reader.note(`${name}: the connection may be unencrypted; add sslmode=require or sslmode=verify-full`)
  }
  return true
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
