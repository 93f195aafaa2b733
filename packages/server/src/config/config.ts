// The backend's configuration, read from the environment. Pure: files, sockets and generated secrets are handled elsewhere.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { cacheUrlShape, parseCacheUrl } from './cache-url.ts'
import { secretWeakness } from './jwt-secret.ts'
import { type ConfigText, type LlmSettings, readLlmSettings } from './llm/settings.ts'
import { embeddedFolder, isLoopback, type Platform, platformKind, readPlatform } from './platform.ts'
import type { ConfigProblem } from './problem.ts'
import { createReader, type VariableReader } from './reader.ts'
import { type Environment, unknownVariables } from './variables.ts'

const logLevels = ['debug', 'info', 'warn', 'error'] as const

export interface Config {
  readonly env: 'development' | 'production'
  readonly host: string
  readonly port: number
  /** Processes that share the port. */
  readonly workers: number
  readonly log_level: (typeof logLevels)[number]
  readonly platform: Platform
  readonly cache: CacheTarget
  readonly jwt: JwtTarget
  readonly data_dir: string
  readonly max_upload_bytes: number
  readonly max_user_bytes: number
  readonly max_record_bytes: number
  /** After how many days append-only entities are moved to a file; 0 is never. */
  readonly history_days: number
  readonly metrics_token?: string
  readonly cors_origins: readonly string[]
  /** How many proxies to trust, or which; false trusts none. */
  readonly trust_proxy: false | number | readonly string[]
  readonly llm: LlmSettings
}

type CacheTarget =
  | { readonly kind: 'in_process' }
  | { readonly kind: 'redis'; readonly url: string; readonly password?: string; readonly sentinel_password?: string }

/** `secret` means HS256 and nothing else; `jwks` means ES256 or RS256 and nothing else. */
export type JwtTarget = { readonly kind: 'secret'; readonly secret: string } | { readonly kind: 'jwks'; readonly url: string }

export type ConfigResult =
  | { readonly ok: true; readonly config: Config; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

/** `llmFile` is the content of the file in LLM_CONFIG. */
export function readConfig(env: Environment, llmFile?: ConfigText): ConfigResult {
  const reader = createReader(env)
  for (const name of unknownVariables(env)) reader.note(`${name}: is not a variable of this backend and was ignored`)

  const environment = reader.choice('ENV', ['development', 'production'], 'development')
  const production = environment === 'production'
  const data_dir = readDataDir(reader, env)
  const platform = readPlatform(reader, env, production, data_dir)
  const cache = readCache(reader, production)
  const jwt = readJwt(reader, env, production)
  const metrics_token = readMetricsToken(reader)
  const plain = {
    env: environment,
    host: reader.text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: reader.integer('PORT', { min: 0, max: 65_535 }, 8080),
    workers: readWorkers(reader, cache),
    log_level: reader.choice('LOG_LEVEL', logLevels, 'info'),
    data_dir,
    max_upload_bytes: reader.integer('MAX_UPLOAD_BYTES', { min: 1, max: 1_099_511_627_776 }, 104_857_600),
    max_user_bytes: reader.integer('MAX_USER_BYTES', { min: 1, max: 999_999_999_999_999 }, 10_737_418_240),
    max_record_bytes: reader.integer('MAX_USER_RECORD_BYTES', { min: 1, max: 999_999_999_999_999 }, 5_368_709_120),
    history_days: reader.integer('HISTORY_DAYS', { min: 0, max: 36_500 }, 0),
    cors_origins: readOrigins(reader),
    trust_proxy: readTrustProxy(reader),
    llm: readLlmSettings(reader, env, production, llmFile),
    ...(metrics_token === undefined ? {} : { metrics_token }),
  }
  if (reader.problems.length > 0 || !platform || !cache || !jwt) return { ok: false, problems: reader.problems }
  return { ok: true, config: { ...plain, platform, cache, jwt }, notes: reader.notes }
}

function readDataDir(reader: VariableReader, env: Environment): string {
  const named = reader.text('DATA_DIR')
  return named === undefined ? embeddedFolder(env) : resolve(named)
}

function readCache(reader: VariableReader, production: boolean): CacheTarget | undefined {
  const text = production ? reader.required('CACHE_URL', cacheUrlShape) : reader.text('CACHE_URL')
  const password = reader.text('CACHE_PASSWORD')
  if (text === undefined) {
    reader.unused(['CACHE_SENTINEL_PASSWORD'], 'is set without CACHE_URL')
    if (password !== undefined)
      reader.problem('CACHE_PASSWORD', 'refused', 'is set without CACHE_URL', 'set CACHE_URL or remove CACHE_PASSWORD')
    return { kind: 'in_process' }
  }
  const parsed = parseCacheUrl(text)
  if (!parsed.ok) return reader.problem('CACHE_URL', parsed.code, parsed.cause, parsed.remedy)
  if (parsed.address.kind !== 'sentinel') reader.unused(['CACHE_SENTINEL_PASSWORD'], 'is only used with a redis+sentinel:// CACHE_URL')
  const sentinel_password = reader.text('CACHE_SENTINEL_PASSWORD')
  return {
    ...{ kind: 'redis', url: text },
    ...(password === undefined ? {} : { password }),
    ...(sentinel_password === undefined ? {} : { sentinel_password }),
  }
}

function readWorkers(reader: VariableReader, cache: CacheTarget | undefined): number {
  const workers = reader.integer('WORKERS', { min: 1, max: 128 }, 1)
  if (workers > 1 && cache?.kind === 'in_process') {
    reader.problem('WORKERS', 'refused', 'is more than 1 without CACHE_URL', 'set CACHE_URL: workers share limits and messages through it')
  }
  return workers
}

function readJwt(reader: VariableReader, env: Environment, production: boolean): JwtTarget | undefined {
  const supabase = platformKind(env.BAAS_URL) === 'supabase'
  const keySet = supabase ? reader.text('BAAS_JWKS') : undefined
  const remedy = 'set at least 32 random bytes, for example the output of: openssl rand -base64 48'
  const checkedByKeySet = supabase && (keySet !== undefined || !production)
  const secret = checkedByKeySet ? reader.text('BAAS_JWT_SECRET') : reader.required('BAAS_JWT_SECRET', remedy)
  if (secret === undefined) return checkedByKeySet ? readKeySet(reader, env.BAAS_URL ?? '', keySet ?? 'project') : undefined

  if (keySet !== undefined) {
    // With two ways to verify a token, an attacker could choose the weaker one.
    return reader.problem('BAAS_JWKS', 'refused', 'is set together with BAAS_JWT_SECRET', 'keep only the one the project signs with')
  }
  const weakness = secretWeakness(secret)
  if (weakness && (production || weakness.always)) return reader.problem('BAAS_JWT_SECRET', 'refused', weakness.cause, remedy)
  if (weakness) reader.note(`BAAS_JWT_SECRET: ${weakness.cause}; production would refuse it`)
  return { kind: 'secret', secret }
}

function readKeySet(reader: VariableReader, project: string, value: string): JwtTarget | undefined {
  const text = value === 'project' ? `${project.replace(/\/+$/, '')}/auth/v1/.well-known/jwks.json` : value
  const url = URL.parse(text)
  const safe = url?.protocol === 'https:' || value === 'project' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !safe || url.username !== '' || url.password !== '') {
    return reader.problem('BAAS_JWKS', 'malformed', 'is not the https:// URL of a key set', 'use "project" or https://…/jwks.json')
  }
  return { kind: 'jwks', url: url.href }
}

function readMetricsToken(reader: VariableReader): string | undefined {
  const token = reader.text('METRICS_TOKEN')
  if (token !== undefined && token.length < 16) {
    return reader.problem('METRICS_TOKEN', 'refused', 'is shorter than 16 characters', 'set a long random token')
  }
  return token
}

function readOrigins(reader: VariableReader): string[] {
  const origins = list(reader.text('CORS_ORIGINS'))
  const broken = origins.some((origin) => {
    const url = URL.parse(origin)
    return !url || !/^https?:$/.test(url.protocol) || url.origin !== origin
  })
  if (broken)
    reader.problem('CORS_ORIGINS', 'malformed', 'has an entry that is not an exact origin', 'use the form https://host,https://other-host')
  return origins
}

function readTrustProxy(reader: VariableReader): Config['trust_proxy'] {
  const value = reader.text('TRUST_PROXY')
  if (value === undefined || value === 'false' || value === '0') return false
  if (/^[1-9]$/.test(value)) return Number(value)
  const addresses = list(value)
  if (addresses.every(isNetwork)) return addresses
  reader.problem(
    'TRUST_PROXY',
    'malformed',
    'is neither a number of proxies from 1 to 9 nor a list of valid addresses and networks',
    'use 1, or the addresses of the proxies, such as 10.0.0.7 or 10.0.0.0/8; a trusted proxy can claim any client address',
  )
  return false
}

function isNetwork(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true
  const [address = '', length, ...more] = entry.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && longest >= 0 && (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= longest))
}

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
