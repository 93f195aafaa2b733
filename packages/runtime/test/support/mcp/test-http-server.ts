// Servers made with the SDK, behind Streamable HTTP on loopback. Each session has its own.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export interface TestHttpServers {
  urlOf(name: string): string
  close(): void
}

/** At `/NAME`, the server that `open` creates for this name. */
export async function startTestHttpServers(open: (name: string) => Server): Promise<TestHttpServers> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = sessions.get(String(request.headers['mcp-session-id'] ?? ''))
    if (known) return known.handleRequest(request, response)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    // The types of the SDK do not allow for exact optional properties.
    await open((request.url ?? '/').slice(1)).connect(transport as Transport)
    await transport.handleRequest(request, response)
  }
  const http = createServer((request, response) => void respond(request, response).catch(() => response.destroy()))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}
