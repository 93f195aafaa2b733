// Checks that the configured cache can be used. Returns one line that names the variable to change, never the secret.
import { cacheUrlShape, parseCacheUrl } from '../config/cache-url.ts'
import type { RedisTarget } from './cache.ts'
import { connectCommands } from './connect.ts'
import { type CacheConnection, RootCertificateError, resolveCacheConnection } from './connection-options.ts'
import { keyNames } from './keys.ts'
import { writeEveryProbe, writeProbe } from './probe-write.ts'

/** The problem, or undefined. Answers within `deadlineMs`. */
export async function probeCache(target: RedisTarget, deadlineMs: number): Promise<string | undefined> {
  const place = describePlace(target.url)
  if (place === undefined) return `CACHE_URL: cannot be read; ${cacheUrlShape}`
  try {
    return await tryCache(await resolveCacheConnection(target), place, deadlineMs)
  } catch (error) {
    if (!(error instanceof RootCertificateError)) throw error
    return 'CACHE_URL: has an sslrootcert that cannot be read or is not a PEM certificate; correct the path or the file'
  }
}

async function tryCache(target: CacheConnection, place: string, deadlineMs: number): Promise<string | undefined> {
  const patience = Math.max(1, deadlineMs - 100)
  const connection = connectCommands(target, {
    retryStrategy: null,
    connectTimeout: patience,
    commandTimeout: patience,
    socketTimeout: patience,
    connectionName: 'tandem-probe',
  })
  let failure: unknown
  const remember = (error: unknown): void => {
    failure ??= error
  }
  connection.on('error', remember)
  connection.on('node error', remember)
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(new Error('timed out')), deadlineMs)
  const cluster = target.address.kind === 'cluster'
  const names = keyNames({ cluster })
  const write = cluster ? writeProbe : writeEveryProbe
  try {
    await Promise.race([late.promise, connection.connect().then(() => write(connection, names))])
    // A missing database is only reported, and the connection stays in database 0. In a Cluster one node may fail.
    return failure === undefined || cluster ? undefined : explain(failure, place, target, deadlineMs)
  } catch (error) {
    return explain(failure ?? error, place, target, deadlineMs)
  } finally {
    clearTimeout(timer)
    connection.disconnect()
  }
}

/** Pure: what to report to the operator about this error. */
function explain(thrown: unknown, place: string, { address, password }: CacheConnection, deadlineMs: number): string {
  const error = causeOf(thrown)
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^READONLY/.test(message))
    return `CACHE_URL: the cache at ${place} is a read-only replica; use the address of the primary, or of its Sentinels`
  if (/^MOVED/.test(message)) return `CACHE_URL: the cache at ${place} is part of a Cluster; use redis+cluster://`
  if (/cluster support disabled/i.test(message)) return `CACHE_URL: the cache at ${place} is not a Cluster; use redis://`
  if (/^CLUSTERDOWN/.test(message)) return `CACHE_URL: the Cluster at ${place} is down; check the output of CLUSTER INFO there`
  if (/^(OOM|MISCONF)/.test(message))
    return `CACHE_URL: the cache at ${place} accepts no writes (${message.split(' ', 1)[0]}); check its memory and disk`
  if (address.kind === 'sentinel' && /sentinels are unreachable|invalid reply|No such master/i.test(message)) {
    return `CACHE_URL: none of the Sentinels at ${place} knows a primary called ${address.primary}; check hosts, ports, name and CACHE_SENTINEL_PASSWORD`
  }
  if (/^(WRONGPASS|NOAUTH)|invalid password|AUTH <password>/i.test(message)) {
    return password !== undefined
      ? `CACHE_PASSWORD: refused by the cache at ${place}`
      : `CACHE_PASSWORD: the cache at ${place} requires a password, but none is set`
  }
  if (/^NOPERM/.test(message)) return `CACHE_URL: the user of the cache at ${place} does not have permission to run the required commands`
  if (/DB index/i.test(message)) return `CACHE_URL: the cache at ${place} does not have a database with that number`
  if (code === 'ECONNREFUSED') return `CACHE_URL: nothing is listening at ${place}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `CACHE_URL: the host of ${place} cannot be resolved`
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return `CACHE_URL: no route to ${place}`
  if (code === 'ETIMEDOUT' || /timed? ?out/i.test(message)) return `CACHE_URL: no response from ${place} within ${deadlineMs} ms`
  if (/^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || /certificate/i.test(message)) {
    return `CACHE_URL: no secure connection to ${place} (${code || 'certificate'}); if it uses your own certificate authority, add ?sslrootcert= with the path of its certificate`
  }
  if (/protocol error|unknown resp/i.test(message)) return `CACHE_URL: the server at ${place} is not Redis`
  return `CACHE_URL: the cache at ${place} cannot be used (${code || (message.split(/[\s:]/, 1)[0] ?? 'unknown')})`
}

/** The error of an unreachable Cluster has no reason; it is in the error of the last node. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error
}

function describePlace(url: string): string | undefined {
  const parsed = parseCacheUrl(url)
  return parsed.ok ? parsed.address.nodes.map(({ host, port }) => `${host}:${port}`).join(',') : undefined
}
