// One keep-alive connection per user; bodies are sent and received as bytes, so that the client costs almost nothing.
import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'

export interface BenchConnection {
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: Buffer): Promise<Buffer>
  /** Bytes sent and received so far, with the heads of requests and responses; without those of TCP and IP. */
  traffic(): number
  close(): void
}

export function openBenchConnection(base: string, headers: Readonly<Record<string, string>> = {}): BenchConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<Socket>()
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const type = body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}
        const call = request(new URL(path, base), { method, agent, headers: { ...headers, ...type } }, (reply) => {
          const chunks: Buffer[] = []
          reply.on('data', (chunk: Buffer) => chunks.push(chunk))
          reply.on('error', reject)
          reply.on('end', () => {
            const bytes = Buffer.concat(chunks)
            const good = reply.statusCode !== undefined && reply.statusCode < 300
            if (good) resolve(bytes)
            else reject(new Error(`${method} ${path} answered ${reply.statusCode}: ${bytes.toString().slice(0, 300)}`))
          })
        })
        call.on('error', reject).on('socket', (socket) => sockets.add(socket))
        call.end(body)
      }),
    traffic: () => [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0),
    close: () => agent.destroy(),
  }
}

/** The value of a field near the end of a JSON text, without parsing the rest of it. */
export function tailField(bytes: Buffer, name: string): string {
  const tail = bytes.subarray(-400).toString('latin1')
  const value = new RegExp(`"${name}":("[^"]*"|[^,}]*)[^"]*`, 'g').exec(tail.slice(tail.lastIndexOf(`"${name}":`)))?.[1]
  if (value === undefined) throw new Error(`the reply does not end with ${name}`)
  return value.replaceAll('"', '').trim()
}

/** How often `mark` occurs. */
export function countOf(pages: readonly Buffer[], mark: string): number {
  let count = 0
  for (const page of pages) for (let at = page.indexOf(mark); at !== -1; at = page.indexOf(mark, at + mark.length)) count += 1
  return count
}
