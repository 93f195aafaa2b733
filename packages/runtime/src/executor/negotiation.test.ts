// Negotiation over real sockets on loopback, with executors that behave well and with those that do not.
import { createServer, type Server } from 'node:net'
import { executorLimits, type HandshakeRequest } from '@tandem/contract/executor'
import { HandshakeRequest as HandshakeSchema } from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import {
  acceptedHandshake,
  goodHealth,
  json,
  newCertificate,
  offeredCapabilities,
  startTestExecutor,
  type TestExecutor,
} from '../../test/support/executor/test-executor.ts'
import { systemClock } from '../clock/clock.ts'
import type { ExecutorRecord } from './executor-records.ts'
import { handshakeRequest } from './handshake-request.ts'
import { type NegotiationPorts, negotiate } from './negotiation.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function executor(...options: Parameters<typeof startTestExecutor>): Promise<TestExecutor> {
  const started = await startTestExecutor(...options)
  closing.push(started.stop)
  return started
}

function record(
  { url, certificate_sha256 }: Pick<TestExecutor, 'url' | 'certificate_sha256'>,
  change: Partial<ExecutorRecord> = {},
): ExecutorRecord {
  return {
    executor_id: '01a1e4b0-6b9f-7021-8646-1a860de57084',
    name: 'build',
    executor_url: url,
    certificate_sha256,
    token: 'the token',
    added_at: '2026-03-01T09:00:00.000Z',
    ...change,
  }
}

const never = new AbortController().signal
const ports: NegotiationPorts = {
  clock: systemClock,
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  handshake: () => handshakeRequest(process.cwd(), '0.1.0'),
}
const reason = async (one: ExecutorRecord, change: Partial<NegotiationPorts> = {}) => {
  const reading = await negotiate(one, { ...ports, ...change }, never)
  return reading.outcome === 'failed' ? reading.problem.reason : reading.outcome
}

test('a handshake sends version, tools and workspace, never a path, and its result is what the executor offers', async () => {
  const build = await executor((_, response) => json(response, acceptedHandshake), { tls: newCertificate() })
  const reading = await negotiate(record(build), ports, never)
  const {
    verdict: _verdict,
    workspace: _workspace,
    ...offered
  } = acceptedHandshake as Extract<typeof acceptedHandshake, { verdict: 'accepted' }>
  expect(reading).toEqual({ outcome: 'negotiated', value: { ...offered, method: 'handshake', health: null } })
  expect(build.requests.map(({ line, token }) => [line, token])).toEqual([['POST /handshake', 'Bearer the token']])
  const sent: HandshakeRequest = JSON.parse(build.requests[0]?.body ?? '')
  expect(Check(HandshakeSchema, sent)).toBe(true)
  expect(sent).toMatchObject({ protocols: ['tandem-executor/1'], runtime: { name: 'tandem', version: '0.1.0' } })
  expect(sent.capabilities.map(({ name }) => name)).toContain('shell.exec')
  expect(sent.workspace).toMatchObject({ markers: expect.arrayContaining(['package.json']), writable: true })
  expect(build.requests[0]?.body).not.toContain(process.cwd())
})

test.each([404, 405, 501])('status %i to a handshake: capabilities and health are requested instead', async (status) => {
  const build = await executor((request, response) => {
    if (request.url === '/handshake') return json(response, {}, status)
    json(response, request.url === '/capabilities' ? offeredCapabilities : goodHealth)
  })
  const { executor: host, capabilities } = offeredCapabilities
  expect(await negotiate(record(build), ports, never)).toEqual({
    outcome: 'negotiated',
    value: {
      method: 'capabilities',
      protocol: 'tandem-executor/1',
      executor: host,
      capabilities,
      health: goodHealth,
      session_id: null,
      expires_at: null,
    },
  })
  expect(build.requests.map(({ line }) => line).toSorted()).toEqual(['GET /capabilities', 'GET /health', 'POST /handshake'])
})

test('another protocol, a wrong token, an outage, garbage, compressed content and another field are failures with their reason', async () => {
  const answers = new Map<string, (response: Parameters<typeof json>[0]) => unknown>([
    ['protocol_mismatch', (response) => json(response, { ...acceptedHandshake, protocol: 'other/1' })],
    ['unauthorized', (response) => response.writeHead(401).end()],
    ['unhealthy', (response) => response.writeHead(503).end()],
    ['malformed_response', (response) => response.writeHead(200).end('\u0000\u0001garbage')],
    ['malformed_response ', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('bomb')],
    ['malformed_response  ', (response) => json(response, { ...acceptedHandshake, command: 'rm' })],
    ['unreachable', (response) => response.socket?.destroy()],
    ['response_too_large', (response) => response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end()],
  ])
  for (const [expected, answer] of answers) {
    const build = await executor((_, response) => answer(response))
    expect(await reason(record(build))).toBe(expected.trim())
  }
})

test('100 MB of response are not read', async () => {
  let written = 0
  const build = await executor((_, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1_024, 'x')
    const write = () => {
      while (written < 100 * 1_024 * 1_024 && !response.destroyed) {
        written += chunk.length
        if (!response.write(chunk)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  })
  expect(await reason(record(build))).toBe('response_too_large')
  expect(written).toBeLessThan(50 * 1_024 * 1_024)
})

test('a redirect is not followed, and the other address gets nothing', async () => {
  const other = await executor((_, response) => json(response, acceptedHandshake))
  const build = await executor((_, response) => response.writeHead(307, { location: `${other.url}/handshake` }).end())
  expect(await reason(record(build))).toBe('redirected')
  expect(other.requests).toEqual([])
})

test.each(['hangs before its response', 'sends a byte at a time', 'never completes the connection'])(
  'an executor that %s is given up after the time limit',
  async (how) => {
    const clock = testClock()
    const arrived = Promise.withResolvers<void>()
    const tcp: Server | null = how.startsWith('never') ? createServer(() => arrived.resolve()) : null
    if (tcp) {
      await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
      closing.push(async () => new Promise((resolve) => tcp.close(resolve)))
    }
    const port = tcp && Object(tcp.address()).port
    const build = tcp
      ? { url: `https://127.0.0.1:${port}`, certificate_sha256: 'a'.repeat(64) }
      : await executor((_, response) => {
          if (how.startsWith('sends')) response.writeHead(200).write('{')
          arrived.resolve()
        })
    const outcome = reason(record(build), { clock })
    await arrived.promise
    clock.advance(executorLimits.negotiation_ms)
    expect(await outcome).toBe('timed_out')
  },
)

test('a name server that does not respond is given up, too', async () => {
  const clock = testClock()
  const asked = Promise.withResolvers<void>()
  const resolve = () => {
    asked.resolve()
    return new Promise<never>(() => undefined)
  }
  const outcome = reason(record({ url: 'https://build.example', certificate_sha256: 'a'.repeat(64) }), { clock, resolve })
  await asked.promise
  clock.advance(executorLimits.negotiation_ms)
  expect(await outcome).toBe('timed_out')
})

test('a changed certificate: nothing is sent, not even the token', async () => {
  const tls = newCertificate()
  const build = await executor((_, response) => json(response, acceptedHandshake), { tls })
  expect(await reason(record(build))).toBe('negotiated')
  await build.stop()
  const impostor = await executor((_, response) => json(response, acceptedHandshake), { tls: newCertificate(), port: build.port })
  expect(await reason(record(build))).toBe('certificate_changed')
  expect(impostor.requests).toEqual([])
})

test('a server without TLS at an https address gets nothing', async () => {
  const plain = await executor((_, response) => json(response, acceptedHandshake))
  expect(await reason(record({ url: plain.url.replace('http:', 'https:'), certificate_sha256: 'a'.repeat(64) }))).toBe('unreachable')
  expect(plain.requests).toEqual([])
})

test('a name that leads to an address that is never an executor is not connected to', async () => {
  const resolve = async () => [
    { address: '127.0.0.1', family: 4 as const },
    { address: '169.254.169.254', family: 4 as const },
  ]
  expect(await reason(record({ url: 'https://build.example', certificate_sha256: 'a'.repeat(64) }), { resolve })).toBe('address_forbidden')
  const rebound = async () => [{ address: '10.0.0.1', family: 4 as const }]
  expect(await reason(record({ url: 'http://localhost', certificate_sha256: null }), { resolve: rebound })).toBe('address_forbidden')
})

test('nothing listens there', async () => {
  const build = await executor(() => undefined)
  await build.stop()
  expect(await reason(record(build))).toBe('unreachable')
})
