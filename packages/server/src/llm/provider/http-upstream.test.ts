// A provider over TLS, as all except those on loopback.
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testCertificate } from '../../../test/support/test-certificate.ts'
import { wholeText } from '../flow.ts'
import { CallAbort } from '../stop.ts'
import { type HttpUpstream, httpUpstream } from './http-upstream.ts'

const usual = getCACertificates('default')
const key = 'sk-canary-of-tls'
let server: Server
let upstream: HttpUpstream
let connections: { readonly socket: TLSSocket; readonly resumed: boolean }[]

beforeEach(async () => {
  connections = []
  server = createServer(testCertificate, (request, response) => {
    request
      .resume()
      .on('end', () => response.end(JSON.stringify({ path: request.url, host: request.headers.host, key: request.headers.authorization })))
  })
  server.on('secureConnection', (socket) => connections.push({ socket, resumed: socket.isSessionReused() }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  setDefaultCACertificates(usual)
  upstream.close()
  server.closeAllConnections()
  server.close()
})

function open(host: string): HttpUpstream {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const settings = {
    name: 'safe',
    base_url: `https://${host}:${address.port}/v1`,
    operations: ['responses' as const],
    auth: 'bearer' as const,
  }
  upstream = httpUpstream({ ...settings, stream_usage: 'asked', key })
  return upstream
}

async function ask(): Promise<string> {
  const body = Buffer.from('{}')
  const reply = await upstream.send({ operation: 'responses', model: 'm', headers: {}, body, signal: new CallAbort() })
  return `${reply.status} ${await wholeText(reply.body, 10_000)}`
}

test.each(['localhost', '127.0.0.1'])('one connection to %s serves several calls; the next one resumes its TLS session', async (host) => {
  setDefaultCACertificates([...usual, testCertificate.cert])
  const { port } = Object(open(host) && server.address())
  const said = `200 ${JSON.stringify({ path: '/v1/responses', host: `${host}:${port}`, key: `Bearer ${key}` })}`
  expect([await ask(), await ask()]).toEqual([said, said])
  expect(connections.map(({ resumed }) => resumed)).toEqual([false])
  connections[0]?.socket.destroy()
  expect(await ask()).toBe(said)
  expect(connections.map(({ resumed }) => resumed)).toEqual([false, true])
})

test('a server with an untrusted certificate gets no key', async () => {
  open('localhost')
  await expect(ask()).rejects.toThrow('safe cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)')
  expect(connections).toEqual([])
})
