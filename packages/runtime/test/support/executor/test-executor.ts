// An executor that answers as a test says, on loopback, with or without TLS.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { ExecutorCapabilities, ExecutorHealth, HandshakeResponse } from '@tandem/contract/executor'
import { type CreatedCertificate, certificateFingerprint, createCertificate } from '../../../src/executor/reference/certificate.ts'

export interface TestExecutor {
  readonly url: string
  readonly port: number
  readonly certificate_sha256: string | null
  /** Method, path and token of every request. */
  readonly requests: { readonly line: string; readonly token: string | undefined; readonly body: string }[]
  stop(): Promise<void>
}

export interface TestExecutorOptions {
  readonly tls?: CreatedCertificate
  readonly port?: number
  /** The address it listens on. */
  readonly host?: string
}

export const offeredHost = { name: 'build', version: '0.1.0', os: 'linux', arch: 'x64' }

export const acceptedHandshake: HandshakeResponse = {
  verdict: 'accepted',
  protocol: 'tandem-executor/1',
  session_id: 'session',
  executor: offeredHost,
  capabilities: [{ name: 'gpu', version: null }],
  workspace: null,
  expires_at: '2026-03-01T09:05:00.000Z',
}

export const offeredCapabilities: ExecutorCapabilities = {
  protocols: ['tandem-executor/1'],
  executor: offeredHost,
  capabilities: [{ name: 'gpu', version: null }],
}

export const goodHealth: ExecutorHealth = { status: 'ok', running_jobs: 0, ts: '2026-03-01T09:00:00.000Z' }

export async function startTestExecutor(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  { tls, port = 0, host = '127.0.0.1' }: TestExecutorOptions = {},
): Promise<TestExecutor> {
  const requests: TestExecutor['requests'] = []
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    requests.push({ line: `${request.method} ${request.url}`, token: request.headers.authorization, body })
    answer(request, response, body)
  }
  const server: Server = tls ? createSecureServer({ ...tls }, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const bound = (server.address() as AddressInfo).port
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${bound}`,
    port: bound,
    certificate_sha256: tls ? certificateFingerprint(tls.cert) : null,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

export const newCertificate = () => createCertificate(Date.now())
