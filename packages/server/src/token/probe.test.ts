import { once } from 'node:events'
import { createServer } from 'node:http'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemLine } from '../config/problem.ts'
import { startServer } from '../main.ts'
import { probeKeySet } from './probe.ts'

const replies: Record<string, [status: number, body: string]> = {
  '/good': [200, '{"keys":[{"kty":"EC"}]}'],
  '/empty': [200, '{"keys":[]}'],
  '/page': [200, '<html>'],
  '/other': [200, '{"keys":7}'],
  '/gone': [404, ''],
  '/moved': [302, ''],
}
const server = createServer((request, response) => {
  const reply = replies[request.url ?? '']
  if (reply) response.writeHead(reply[0]).end(reply[1])
})
let place: string
let closed: string

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  const other = createServer().listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(other, 'listening')])
  place = addressOf(server)
  closed = addressOf(other)
  other.close()
  await once(other, 'close')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function addressOf(one: typeof server): string {
  const address = one.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

test('a usable key set has no problem; any other is reported with its variable and the cause', async () => {
  // Only an address that never responds may run into its limit: on a busy machine every other takes as long as it needs.
  const line = async (url: string, name: 'BAAS_JWKS' | 'BAAS_URL' = 'BAAS_JWKS') => {
    const problem = await probeKeySet(url, name, url.endsWith('/silent') ? 300 : 30_000)
    return problem && problemLine(problem)
  }
  const remedy = 'use "project" or the https:// URL of a key set'
  expect([
    await line(`${place}/good`),
    await line(`${place}/empty`, 'BAAS_URL'),
    await line(`${place}/page`),
    await line(`${place}/other`),
    await line(`${place}/gone`, 'BAAS_URL'),
    await line(`${place}/moved`),
    await line(`${place}/silent`),
    await line(closed),
  ]).toEqual([
    undefined,
    'BAAS_JWKS: the key set is empty, so no token can be verified; add a signing key to the project, or set BAAS_JWT_SECRET if it signs with a secret',
    `BAAS_JWKS: does not return a key set; ${remedy}`,
    `BAAS_JWKS: does not return a key set; ${remedy}`,
    'BAAS_URL: returns 404 instead of a key set; correct the address of the project',
    `BAAS_JWKS: returns 302 instead of a key set; ${remedy}`,
    'BAAS_JWKS: the key set cannot be loaded: no response in time; correct the host and port, or allow the connection',
    'BAAS_JWKS: the key set cannot be loaded: nothing is listening there; correct the host and port',
  ])
})

test('startup checks the key set together with everything else, and reveals no secret', async () => {
  const secrets = { BAAS_KEY: 'sb_secret_0123456789abcdefghijklmnopqrst_12345678', DATABASE_PASSWORD: 'a-password-of-tests' }
  const database = `postgres://postgres@127.0.0.1:${new URL(closed).port}/tandem`
  const env = { ENV: 'development', PORT: '0', BAAS_URL: closed, DATABASE_URL: database, ...secrets }
  const problems = async (extra: Record<string, string>) => {
    const start = await startServer({ ...env, ...extra }, { log: pino({ level: 'silent' }) })
    if (start.ok) throw new Error('it started')
    return start.problems
  }
  const own = await problems({ BAAS_JWKS: `${place}/gone` })
  expect(own.filter((line) => line.includes('key set'))).toEqual([
    'BAAS_JWKS: returns 404 instead of a key set; use "project" or the https:// URL of a key set',
  ])
  const project = await problems({ BAAS_JWKS: 'project' })
  expect(project.filter((line) => line.includes('key set'))).toEqual([
    'BAAS_URL: the key set cannot be loaded: nothing is listening there; correct the host and port',
  ])
  for (const secret of Object.values(secrets)) expect([...own, ...project].join('\n')).not.toContain(secret)
})
