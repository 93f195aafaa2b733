// A load balancer that sends each request to the next node in turn, and counts the requests.
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** The number of requests so far whose path ends with this. */
  count(path: string): number
  /** Replaces the nodes. */
  aim(urls: readonly string[]): void
}

export async function balance(nodes: readonly string[]): Promise<Balancer> {
  let urls = nodes
  let turn = 0
  const paths: string[] = []
  const server = createServer((request, reply) => {
    const path = request.url ?? '/'
    paths.push(path.split('?')[0] ?? path)
    const target = new URL(path, urls[turn++ % urls.length])
    const passed = httpRequest(target, { method: request.method, headers: request.headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    passed.on('error', () => reply.destroy())
    request.pipe(passed)
  })
  // Without sockets, devices poll, which is the slower way.
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (path) => paths.filter((one) => one.endsWith(path)).length,
    aim(next) {
      urls = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
