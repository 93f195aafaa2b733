// A WebSocket of the cost benchmark on a plain socket, whose bytes can be counted.
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { subprotocolsWithToken } from '@tandem/contract/ws'

export interface ListeningSocket {
  /** Resolves after the next hint. */
  heard(): Promise<void>
  /** Bytes sent and received after the sign-in. */
  traffic(): number
  /** How often it was pinged. */
  readonly pings: number
  close(): void
}

const [textFrame, pingFrame, pong] = [0x81, 0x89, 0x8a]

export async function listen(base: string, token: string, address: string): Promise<ListeningSocket> {
  const socket = await upgraded(base, token, address)
  const waiting: (() => void)[] = []
  const hello = Promise.withResolvers<void>()
  let [pings, before] = [0, 0]
  let held = Buffer.alloc(0)

  function take(kind: number, text: string): void {
    if (kind === pingFrame) {
      pings += 1
      // Frames of clients are masked.
      socket.write(Buffer.concat([Buffer.from([pong, 0x80]), randomBytes(4)]))
    } else if (kind === textFrame && text.includes('"hello"')) hello.resolve()
    else if (kind === textFrame && text.includes('"sync.changed"')) waiting.shift()?.()
  }

  socket.on('data', (data: Buffer) => {
    held = Buffer.concat([held, data])
    for (;;) {
      const short = held[1] ?? 0
      const start = short === 126 ? 4 : 2
      if (held.length < start) return
      const end = start + (short === 126 ? held.readUInt16BE(2) : short)
      if (held.length < end) return
      take(held[0] ?? 0, held.toString('utf8', start, end))
      held = held.subarray(end)
    }
  })
  await hello.promise
  const all = () => socket.bytesRead + socket.bytesWritten
  before = all()
  return {
    heard: () => new Promise((resolve) => waiting.push(resolve)),
    traffic: () => all() - before,
    get pings() {
      return pings
    },
    close: () => socket.destroy(),
  }
}

function upgraded(base: string, token: string, address: string): Promise<Socket> {
  const headers = {
    ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'x-forwarded-for': address },
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-protocol': subprotocolsWithToken(token).join(', '),
  }
  return new Promise((resolve, reject) => {
    request(new URL('/ws', base), { headers, agent: false })
      .on('upgrade', (_reply, socket: Duplex, head: Buffer) => {
        if (!(socket instanceof Socket)) return reject(new Error('not a socket'))
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
      })
      .on('response', (reply) => reject(new Error(`the socket was answered with ${reply.statusCode}`)))
      .on('error', reject)
      .end()
  })
}
