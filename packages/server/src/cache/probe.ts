// Is the configured cache there and does it let us in? One line that names the variable to change, never the secret.
import { parseCacheUrl } from '../config/cache-url.ts'
import type { RedisTarget } from './cache.ts'
import { type CachePlace, findPlace, RootCertificateError } from './place.ts'
import { connect } from './redis.ts'

/** The problem, or undefined when there is none. Answers within `deadlineMs`. */
export async function probeCache(target: RedisTarget, deadlineMs: number): Promise<string | undefined> {
  const place = describePlace(target.url)
  if (place === undefined) return 'CACHE_URL: must look like redis://HOST:PORT or rediss://HOST:PORT'
  try {
    return await tryCache(await findPlace(target), place, deadlineMs)
  } catch (error) {
    if (!(error instanceof RootCertificateError)) throw error
    return 'CACHE_URL: names an sslrootcert that cannot be read or is not a PEM certificate; correct the path or the file'
  }
}

async function tryCache(target: CachePlace, place: string, deadlineMs: number): Promise<string | undefined> {
  const patience = Math.max(1, deadlineMs - 100)
  const connection = connect(target, {
    retryStrategy: null,
    connectTimeout: patience,
    commandTimeout: patience,
    socketTimeout: patience,
    connectionName: 'tandem-probe',
  })
  let failure: unknown
  connection.on('error', (error) => {
    failure ??= error
  })
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(new Error('timed out')), deadlineMs)
  try {
    await Promise.race([late.promise, connection.connect().then(() => connection.ping())])
    // A database that doesn't exist is only reported, and the connection left in database 0.
    return failure === undefined ? undefined : explain(failure, place, target.password !== undefined, deadlineMs)
  } catch (error) {
    return explain(failure ?? error, place, target.password !== undefined, deadlineMs)
  } finally {
    clearTimeout(timer)
    connection.disconnect()
  }
}

/** Pure: what to tell the operator about this error. */
function explain(error: unknown, place: string, withPassword: boolean, deadlineMs: number): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(WRONGPASS|NOAUTH)|invalid password|AUTH <password>/i.test(message)) {
    return withPassword
      ? `CACHE_PASSWORD: refused by the cache at ${place}`
      : `CACHE_PASSWORD: the cache at ${place} demands one and it is not set`
  }
  if (/^NOPERM/.test(message)) return `CACHE_URL: the user of the cache at ${place} may not run the commands it needs`
  if (/DB index/i.test(message)) return `CACHE_URL: the cache at ${place} has no database of that number`
  if (code === 'ECONNREFUSED') return `CACHE_URL: nothing listens at ${place}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `CACHE_URL: the host of ${place} is not known`
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return `CACHE_URL: no route to ${place}`
  if (code === 'ETIMEDOUT' || /timed? ?out/i.test(message)) return `CACHE_URL: no answer from ${place} within ${deadlineMs} ms`
  if (/^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || /certificate/i.test(message)) {
    return `CACHE_URL: no secure connection to ${place} (${code || 'certificate'}); add ?sslrootcert= with the path of its authority if it is your own`
  }
  if (/protocol error|unknown resp/i.test(message)) return `CACHE_URL: what listens at ${place} is not a Redis`
  return `CACHE_URL: the cache at ${place} can't be used (${code || (message.split(/[\s:]/, 1)[0] ?? 'unknown')})`
}

function describePlace(url: string): string | undefined {
  const parsed = parseCacheUrl(url)
  return parsed.ok ? `${parsed.address.host}:${parsed.address.port}` : undefined
}
