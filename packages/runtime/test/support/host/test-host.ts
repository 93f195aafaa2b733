// A host with real features, and clients that send exactly what they are given.
import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { systemClock } from '../../../src/clock/clock.ts'
import { openCommands } from '../../../src/commands/layer.ts'
import { type Host, openHost } from '../../../src/host/host.ts'
import { type TestFeatures, testFeatures } from '../commands/test-features.ts'

export interface TestHost extends TestFeatures {
  readonly host: Host
  readonly port: number
  readonly origin: string
  readonly lines: readonly string[]
  stop(): Promise<void>
}

export async function testHost(clock = systemClock): Promise<TestHost> {
  const here = testFeatures(clock)
  const windowDir = join(here.home, '..', 'window')
  mkdirSync(windowDir)
  writeFileSync(join(windowDir, 'index.html'), '<!doctype html>')
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const { journal, events } = here.features
  const commands = openCommands(here.features, { log })
  const behind = { home: here.home, clock, commands, journal, events, bus: here.bus }
  const host = await openHost({ windowDir, behind, log })
  const { port, origin } = new URL(host.url)
  return {
    ...here,
    host,
    port: Number(port),
    origin,
    lines,
    async stop() {
      await host.stop()
      here.close()
    },
  }
}

export interface RecordedRequest {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export function ask(
  port: number,
  path: string,
  method: string,
  headers: Record<string, string | string[]>,
  body?: string,
): Promise<RecordedRequest> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => {
        text += part
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export interface Client {
  readonly socket: WebSocket
  /** Everything that arrived, in order. */
  readonly heard: readonly ReceivedMessage[]
  call(method: string, params?: unknown): Promise<ReceivedMessage>
  send(text: string | Buffer): void
  /** Resolves when what arrived matches. */
  until(fits: (heard: readonly ReceivedMessage[]) => boolean): Promise<void>
  closed: Promise<number>
}

export interface ReceivedMessage {
  readonly id?: unknown
  readonly method?: string
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code: string } }
  readonly params?: unknown
}

/** Rejects with the status if the connection is refused. */
export function connect(port: number, headers: Record<string, string>, path = '/rpc'): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, perMessageDeflate: false })
    const heard: ReceivedMessage[] = []
    const watching = new Set<() => void>()
    let calls = 1_000
    socket.on('message', (data) => {
      heard.push(JSON.parse(String(data)))
      for (const look of watching) look()
    })
    socket.on('unexpected-response', (_, reply) => {
      reply.resume()
      reject(new Error(String(reply.statusCode)))
    })
    socket.on('error', reject)
    const closed = new Promise<number>((done) => socket.on('close', (code) => done(code)))
    const until = (fits: (all: readonly ReceivedMessage[]) => boolean) =>
      new Promise<void>((done) => {
        const look = () => {
          if (!fits(heard)) return
          watching.delete(look)
          done()
        }
        watching.add(look)
        look()
      })
    socket.on('open', () =>
      resolve({
        socket,
        heard,
        closed,
        until,
        send: (text) => socket.send(text),
        async call(method, params) {
          const id = ++calls
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }))
          await until((all) => all.some((one) => one.id === id))
          return heard.find((one) => one.id === id) ?? {}
        },
      }),
    )
  })
}
