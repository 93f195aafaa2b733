// rediss:// with a private certificate authority, against a real Redis with TLS.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressCertificate, testAuthority } from '../../test/support/test-certificates.ts'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { openCache } from './cache.ts'
import { probeCache } from './probe.ts'

let redis: TestRedis
let root: string
beforeAll(async () => {
  redis = await startTestRedis({
    async args(folder, port) {
      const file = (name: string) => join(folder, name)
      root = file('authority.pem')
      await writeFile(root, testAuthority)
      await writeFile(file('cert.pem'), addressCertificate.cert)
      await writeFile(file('key.pem'), addressCertificate.key)
      const keys = ['--tls-cert-file', file('cert.pem'), '--tls-key-file', file('key.pem'), '--tls-ca-cert-file', root]
      return ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no', ...keys]
    },
  })
})
afterAll(() => redis.stop())

const at = (host: string, file?: string) => `rediss://${host}:${redis.port}${file === undefined ? '' : `?sslrootcert=${file}`}`
const probe = (url: string) => probeCache({ kind: 'redis', url }, 2_000)

test('a cache with a certificate of the configured authority is used', async () => {
  expect(await probe(at('127.0.0.1', root))).toBe(undefined)
  const cache = await openCache({ kind: 'redis', url: at('127.0.0.1', root) }, () => undefined)
  await cache.set('a', 'b', 10)
  expect(await cache.get('a')).toBe('b')
  await cache.close()
})

test('an unknown authority, another host and a file that is not a certificate are refused', async () => {
  expect(await probe(at('127.0.0.1'))).toContain(`CACHE_URL: no secure connection to 127.0.0.1:${redis.port} (SELF_SIGNED_CERT_IN_CHAIN)`)
  expect(await probe(at('localhost', root))).toContain('(ERR_TLS_CERT_ALTNAME_INVALID)')
  const unusable = 'CACHE_URL: has an sslrootcert that cannot be read or is not a PEM certificate; correct the path or the file'
  expect(await probe(at('127.0.0.1', `${root}.missing`))).toBe(unusable)
})
