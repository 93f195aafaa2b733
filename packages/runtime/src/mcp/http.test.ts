// Remote servers: the official one in a separate process, and small ones that misbehave.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpOutput } from '@tandem/contract/tool/output'
import { afterEach, expect, test, vi } from 'vitest'
import { useMcpEnvironments } from '../../test/support/mcp/test-environments.ts'
import { everythingAt, freePort, httpServer, type McpTestEnvironment } from '../../test/support/mcp/test-mcp.ts'
import { definitionSha256 } from './definition.ts'
import { mcpSuccess } from './failure.ts'
import { httpTransport, messagesUpTo, RequestRefused } from './session/http-transport.ts'
import { loadSdk } from './session/sdk.ts'

const ground = useMcpEnvironments()
const children: ChildProcess[] = []
const servers: Server[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function everything(port: number): Promise<ChildProcess> {
  const child = await everythingAt(port)
  children.push(child)
  return child
}

async function small(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

async function firstConnect(made: McpTestEnvironment, server: ReturnType<typeof httpServer>) {
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  return made.service.connectServer(server.server_id)
}

const echo = (message: string) => ({ content: [{ type: 'text', text: `Echo: ${message}` }] })

test('the official everything server over http, killed with -9 during a call and started again', async () => {
  const port = await freePort()
  const first = await everything(port)
  const made = ground()
  await made.add(httpServer('web', `http://127.0.0.1:${port}/mcp`))
  expect(await made.run('mcp.web.echo', { message: 'hello' })).toEqual(echo('hello'))
  const told: string[] = []
  const image = (await made.run('mcp.web.get-tiny-image')) as McpOutput
  expect(image.content.map(({ type }) => type)).toEqual(['text', 'image', 'text'])

  const long = made.run(
    'mcp.web.trigger-long-running-operation',
    { duration: 60, steps: 60 },
    {
      progress(text) {
        told.push(text)
        first.kill('SIGKILL')
      },
    },
  )
  await expect(long).rejects.toMatchObject({ reason_code: expect.stringMatching(/^(?:server_hung|unreachable|disconnected)$/) })
  expect(told[0]).toBe('1 of 60\n')
  await vi.waitFor(() => expect(made.service.listServers()[0]?.status.state).not.toBe('connected'), 60_000)

  await everything(port)
  expect(await made.run('mcp.web.echo', { message: 'again' })).toEqual(echo('again'))
  expect(made.service.listServers()[0]?.status.state).toBe('connected')
})

test('a server that lost the session gets the request again in a new one, once, automatically', async () => {
  const port = await freePort()
  const first = await everything(port)
  const made = ground()
  await made.add(httpServer('web', `http://127.0.0.1:${port}/mcp`))
  first.kill('SIGKILL')
  await once(first, 'exit')
  await everything(port)
  expect(await made.run('mcp.web.echo', { message: 'again' })).toEqual(echo('again'))
})

test('headers and query come from this device; a server that needs more reports it', async () => {
  const seen: unknown[] = []
  const url = await small((request, response) => {
    seen.push([request.url, request.headers.authorization])
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
  })
  const made = ground()
  const server = httpServer('locked', url, { header_names: ['Authorization'], query_names: ['key'] })
  expect(await firstConnect(made, server)).toMatchObject({
    ok: false,
    failure: { reason_code: 'missing_secret', subject: 'Authorization, key' },
  })
  await made.service.setSecret('locked', 'header', 'Authorization', 'Bearer a-long-secret')
  await made.service.setSecret('locked', 'query', 'key', 'another-secret')
  expect(await made.service.connectServer('locked')).toMatchObject({
    ok: false,
    failure: { reason_code: 'needs_authorization', recoverability: 'user_action' },
  })
  expect(seen.at(-1)).toEqual(['/mcp?key=another-secret', 'Bearer a-long-secret'])
  expect(JSON.stringify([made.service.listServers(), made.service.readLog('locked'), made.outbox()])).not.toContain('secret-')
  expect(JSON.stringify(made.service.readLog('locked'))).not.toContain('another-secret')
  expect(made.service.listServers()[0]?.status).toMatchObject({ state: 'failed', next_reconnect_at: null })
})

test('a server that needs a sign-in reports it, and is not retried automatically', async () => {
  const url = await small((_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="https://example.org/.well-known/oauth-protected-resource"' })
    response.end()
  })
  const made = ground()
  expect(await firstConnect(made, httpServer('club', url))).toMatchObject({
    ok: false,
    failure: {
      reason_code: 'needs_sign_in',
      message: 'club requires a sign-in',
      remedy: expect.stringContaining('Sign in to the server.'),
    },
  })
  expect(made.service.listServers()[0]?.status).toMatchObject({ state: 'failed', next_reconnect_at: null })
})

test('does not wait for the rest of a response that requires a sign-in', async () => {
  let given = 0
  const body = () =>
    new ReadableStream<Uint8Array>({
      cancel() {
        given += 1
      },
    })
  const headers = { 'www-authenticate': 'Bearer resource_metadata="https://example.org"' }
  const transport = httpTransport({
    sdk: await loadSdk(),
    network: { stream: async () => ({ status: 401, headers, body: body() }) },
    url: 'https://example.org/mcp',
    headers: {},
    query: {},
    server_id: 'club',
    authorizer: { token: async () => mcpSuccess(null), replace: async () => mcpSuccess(null), require: () => undefined },
    onToken: () => undefined,
  })
  await transport.start()
  await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toThrow(RequestRefused)
  expect(given).toBe(1)
  await transport.close()
})

test('does not follow a redirect to another host', async () => {
  let reached = false
  const elsewhere = await small((_, response) => {
    reached = true
    response.end()
  })
  const url = await small((_, response) => response.writeHead(307, { location: elsewhere }).end())
  const made = ground()
  expect((await firstConnect(made, httpServer('away', url))).ok).toBe(false)
  expect(reached).toBe(false)
})

test('retries an address where nothing listens', async () => {
  const made = ground()
  const connected = await firstConnect(made, httpServer('nobody', `http://127.0.0.1:${await freePort()}/mcp`))
  expect(connected).toMatchObject({ ok: false, failure: { reason_code: 'unreachable', recoverability: 'retryable' } })
  expect(made.service.listServers()[0]?.status.next_reconnect_at).not.toBeNull()
})

test('one message over the limit ends its stream; many small ones do not', async () => {
  const pass = async (chunks: readonly string[]) => {
    const stream = ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk))).pipeThrough(messagesUpTo(16))
    return new Response(stream).text()
  }
  const many = Array.from({ length: 50 }, (_, index) => `data: ${index}\r\n\r\n`)
  expect(await pass(many)).toBe(many.join(''))
  await expect(pass(['data: 0123', '\ndata: 456789'])).rejects.toThrow('a message was longer than 16 bytes')
})
