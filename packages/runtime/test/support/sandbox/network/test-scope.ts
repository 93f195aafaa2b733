// A call's scope for tests, and servers on loopback.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallScope, Violation } from '../../../../src/call/scope.ts'

export interface TestScope extends CallScope {
  readonly violations: Violation[]
}

export function testScope(hosts: readonly string[], over: Partial<CallScope> = {}): TestScope {
  const violations: Violation[] = []
  return {
    ids: { agent_id: 'agent', conversation_id: 'conversation', run_id: 'run', call_id: 'call' },
    tool: 'http.request',
    workspace: '/nowhere/workspace',
    temp: '/nowhere/temp',
    home: '/nowhere/home',
    policy: {
      enabled: true,
      approval_mode: 'auto',
      rate_limit: { calls: 100, per_seconds: 60 },
      time_limit: { seconds: 60 },
      network_scope: { hosts: [...hosts] },
      fs_scope: { roots: ['.'], globs: ['**'] },
    },
    sandbox_mode: 'workspace',
    report: (violation) => violations.push(violation),
    ...over,
    violations,
  }
}

export interface TestSite {
  readonly port: number
  /** `127.0.0.1:port`, as written in a scope. */
  readonly host: string
  readonly origin: string
  /** Every request that arrived, as `METHOD /path`. */
  readonly seen: string[]
  readonly requests: IncomingMessage[]
  readonly server: Server
  close(): Promise<void>
}

export async function openSite(answer: RequestListener): Promise<TestSite> {
  const seen: string[] = []
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    port,
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    seen,
    requests,
    server,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
