// Servers with the old transport (HTTP with SSE), as the SDK implements it, are found without a setting.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { afterEach, expect, test, vi } from 'vitest'
import { useMcpEnvironments } from '../../../test/support/mcp/test-environments.ts'
import { httpServer } from '../../../test/support/mcp/test-mcp.ts'
import { definitionSha256 } from '../definition.ts'

const ground = useMcpEnvironments()
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface OldServer {
  readonly url: string
  readonly requests: string[]
  /** Ends the stream of every session. */
  drop(): void
}

/** `refuse` answers a request itself; true if it did. */
async function oldServer(refuse: (request: IncomingMessage, response: ServerResponse) => boolean = () => false): Promise<OldServer> {
  const requests: string[] = []
  const sessions = new Map<string, SSEServerTransport>()
  const streams: ServerResponse[] = []
  const http = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1')
  servers.push(http)
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    requests.push(`${request.method} ${pathname}`)
    if (refuse(request, response)) return
    if (request.method === 'GET' && pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response)
      sessions.set(transport.sessionId, transport)
      streams.push(response)
      const server = new McpServer({ name: 'old', version: '1.0.0' })
      server.registerTool('greet', { description: 'Greets.' }, () => ({ content: [{ type: 'text', text: 'hello' }] }))
      await server.connect(transport)
      return
    }
    const session = sessions.get(searchParams.get('sessionId') ?? '')
    if (request.method === 'POST' && session) await session.handlePostMessage(request, response)
    else response.writeHead(pathname === '/sse' ? 405 : 404).end()
  }
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`,
    requests,
    drop() {
      for (const stream of streams.splice(0)) stream.end()
    },
  }
}

test('a server with the old transport connects, answers, and connects again when its stream ends', async () => {
  const old = await oldServer()
  const made = ground()
  await made.add(httpServer('old', old.url))
  expect(old.requests.slice(0, 2)).toEqual(['POST /sse', 'GET /sse'])
  expect(await made.run('mcp.old.greet')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
  expect(made.service.listServers()[0]?.status).toMatchObject({ state: 'connected', server_name: 'old' })
  old.drop()
  await vi.waitFor(() => expect(made.changes.map(({ data }) => data.to_state)).toContain('disconnected'), 60_000)
  expect(await made.run('mcp.old.greet')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
  await made.service.disconnectServer('old')
})

test('a server that requires a sign-in for the old transport reports it', async () => {
  const challenge = 'Bearer resource_metadata="https://example.org/.well-known/oauth-protected-resource"'
  const old = await oldServer((request, response) => {
    if (request.method === 'GET') response.writeHead(401, { 'www-authenticate': challenge }).end()
    return request.method === 'GET'
  })
  const made = ground()
  const server = httpServer('old', old.url)
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  expect(await made.service.connectServer('old')).toMatchObject({ ok: false, failure: { reason_code: 'needs_sign_in' } })
})

test.each([
  [404, 'there is no MCP server at'],
  [405, 'does not accept MCP messages'],
  [400, 'refused the handshake'],
])('an address that has neither transport (%i) reports the first refusal, and is not tried again', async (status, message) => {
  const nothing = await oldServer((_, response) => {
    response.writeHead(status).end()
    return true
  })
  const made = ground()
  const server = httpServer('old', nothing.url)
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  expect(await made.service.connectServer('old')).toMatchObject({
    ok: false,
    failure: {
      reason_code: 'handshake_failed',
      message: expect.stringContaining(message),
      remedy: expect.stringContaining('/mcp or /sse'),
    },
  })
  expect(nothing.requests.slice(0, 2)).toEqual(['POST /sse', 'GET /sse'])
  expect(made.service.listServers()[0]?.status.next_reconnect_at).toBeNull()
})

test('an endpoint at another origin is refused', async () => {
  const trap = await oldServer()
  const old = await oldServer((request, response) => {
    if (request.method !== 'GET') return false
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: endpoint\ndata: ${trap.url.replace('/sse', '/messages')}\n\n`)
    return true
  })
  const made = ground()
  const server = httpServer('old', old.url)
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  expect((await made.service.connectServer('old')).ok).toBe(false)
  expect(trap.requests).toEqual([])
})
