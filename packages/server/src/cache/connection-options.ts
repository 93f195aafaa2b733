// The address and credentials of the cache: CACHE_URL, the passwords and the file of sslrootcert together.
import { readAuthorities } from '../certificate-file.ts'
import { type CacheAddress, parseCacheUrl } from '../config/cache-url.ts'
import type { RedisTarget } from './cache.ts'

export interface CacheConnection {
  readonly address: CacheAddress
  readonly password?: string
  readonly sentinel_password?: string
  /** Undefined without TLS. */
  readonly tls?: { readonly ca?: string }
}

export class RootCertificateError extends Error {}

/** Throws a `RootCertificateError` if the file of sslrootcert cannot be used. */
export async function resolveCacheConnection({ url, password, sentinel_password }: RedisTarget): Promise<CacheConnection> {
  const parsed = parseCacheUrl(url)
  if (!parsed.ok) throw new Error(`the cache address ${parsed.cause}`)
  const { address } = parsed
  const path = address.root_certificate
  const tls = path === undefined ? {} : { ca: await authorities(path) }
  return {
    address,
    ...(password === undefined ? {} : { password }),
    ...(sentinel_password === undefined ? {} : { sentinel_password }),
    ...(address.tls ? { tls } : {}),
  }
}

async function authorities(path: string): Promise<string> {
  try {
    return await readAuthorities(path)
  } catch (cause) {
    throw new RootCertificateError('the file of sslrootcert cannot be used', { cause })
  }
}
