// Every sslmode, against PostgreSQL with and without TLS.
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addressCertificate, nameCertificate, testAuthority } from '../../test/support/test-certificates.ts'
import { startTestCluster, type TestCluster } from '../../test/support/test-cluster.ts'
import { type DatabaseAddress, openDatabase } from './database.ts'
import { probeDatabase } from './probe.ts'

let folder: string
let root: string
/** Its certificate is for 127.0.0.1. */
let byAddress: TestCluster
/** Its certificate is for localhost. */
let byName: TestCluster

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-wire-'))
  root = join(folder, 'authority.pem')
  await writeFile(root, testAuthority)
  ;[byAddress, byName] = await Promise.all([startWithTls(addressCertificate), startWithTls(nameCertificate)])
})
afterAll(async () => {
  await Promise.all([byAddress, byName].map((cluster) => cluster?.[Symbol.asyncDispose]()))
  await rm(folder, { recursive: true, force: true })
})

test('sslmode=prefer, the default, works with a server without TLS', async () => {
  const { address, password } = inject('postgres')
  expect(await ask({ ...address, tls: 'prefer' }, password)).toEqual({ encrypted: false })
})

test('sslmode=prefer encrypts if the server supports it', async () => {
  expect(await ask({ ...byAddress.address, tls: 'prefer' }, byAddress.password)).toEqual({ encrypted: true })
})

const otherHost = 'points to a server whose certificate is for another host'
const unknownAuthority = 'points to a server whose certificate is signed by an unknown authority'
const noRoot = 'has an sslrootcert that cannot be read or is not a PEM certificate'

test.each([
  { server: 'address', host: '127.0.0.1', tls: 'verify-full', root: 'good', expected: 'fine' },
  { server: 'address', host: 'localhost', tls: 'verify-full', root: 'good', expected: otherHost },
  { server: 'name', host: 'localhost', tls: 'verify-full', root: 'good', expected: 'fine' },
  { server: 'name', host: '127.0.0.1', tls: 'verify-full', root: 'good', expected: otherHost },
  { server: 'name', host: '127.0.0.1', tls: 'verify-ca', root: 'good', expected: 'fine' },
  { server: 'name', host: '127.0.0.1', tls: 'verify-ca', root: 'none', expected: unknownAuthority },
  { server: 'address', host: '127.0.0.1', tls: 'verify-full', root: 'none', expected: unknownAuthority },
  { server: 'address', host: '127.0.0.1', tls: 'verify-full', root: 'missing', expected: noRoot },
  { server: 'address', host: '127.0.0.1', tls: 'verify-full', root: 'nonsense', expected: noRoot },
  { server: 'address', host: '127.0.0.1', tls: 'require', root: 'none', expected: 'fine' },
] as const)('a certificate for the $server, $host with $tls, root $root: $expected', async (row) => {
  const cluster = row.server === 'address' ? byAddress : byName
  const files = { good: root, missing: join(folder, 'missing.pem'), nonsense: join(folder, 'nonsense.pem') }
  await writeFile(files.nonsense, 'no certificate at all')
  const address: DatabaseAddress = {
    ...{ ...cluster.address, host: row.host, tls: row.tls },
    ...(row.root === 'none' ? {} : { root_certificate: files[row.root] }),
  }
  const problem = await probeDatabase({ address, password: cluster.password }, { url: 'BAAS_URL', password: 'BAAS_KEY' })
  expect(problem?.cause ?? 'fine').toBe(row.expected)
})

async function ask(address: DatabaseAddress, password: string): Promise<{ encrypted: boolean } | undefined> {
  const database = await openDatabase({ address, password }, () => undefined)
  try {
    const [row] = await database.owner<{ encrypted: boolean }[]>`select ssl as encrypted from pg_stat_ssl where pid = pg_backend_pid()`
    return row && { ...row }
  } finally {
    await database.close()
  }
}

function startWithTls({ key, cert }: { key: string; cert: string }): Promise<TestCluster> {
  return startTestCluster({
    settings: { ssl: 'on', ssl_cert_file: 'server.pem', ssl_key_file: 'server.key' },
    async prepare(data) {
      // PostgreSQL accepts only a key that is owned by its user.
      const { uid, gid } = await stat(data)
      for (const [name, text] of [
        ['server.pem', cert],
        ['server.key', key],
      ] as const) {
        await writeFile(join(data, name), text, { mode: 0o600 })
        await chown(join(data, name), uid, gid)
      }
    },
  })
}
