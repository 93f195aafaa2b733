// Clients of the gateway benchmark. They use raw sockets, so that the gateway is measured and not its client.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface CallTimes {
  /** Milliseconds to the first byte of the response body, and to its last. */
  readonly first: number
  readonly last: number
}

/** Creates the request of each call. Occasionally this takes a moment, such as to sign a token: that is not part of the call. */
export type CreateRequest = (caller: number) => Buffer | Promise<Buffer>

/**
 * This many calls by `callers` at once, each sending its next when it has its response. Every call must succeed. With several addresses,
 * the callers are distributed.
 */
export async function load(
  url: string | readonly string[],
  ask: CreateRequest,
  callers: number,
  calls: number,
): Promise<{ seconds: number; answers: CallTimes[] }> {
  const answers: CallTimes[] = []
  const urls = [url].flat()
  const open = await Promise.all(
    Array.from({ length: callers }, (_, index) => openCaller(urls[index % urls.length] ?? '').then((caller) => ({ caller, index }))),
  )
  let left = calls
  const started = performance.now()
  await Promise.all(
    open.map(async ({ caller, index }) => {
      while (left > 0) {
        left -= 1
        const request = ask(index)
        answers.push(await caller.call(Buffer.isBuffer(request) ? request : await request))
      }
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  for (const { caller } of open) caller.close()
  return { seconds, answers }
}

export function post(path: string, headers: Readonly<Record<string, string>>, body: object): Buffer {
  const text = JSON.stringify(body)
  const all = { host: '127.0.0.1', 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

async function openCaller(url: string): Promise<{ call(request: Buffer): Promise<CallTimes>; close(): void }> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  // Between two calls there is no listener; the next call finds the connection closed and reports it.
  socket.on('error', () => undefined)
  return { call: (request) => callOn(socket, request), close: () => socket.destroy() }
}

function callOn(socket: Socket, request: Buffer): Promise<CallTimes> {
  return new Promise((resolve, reject) => {
    let text = ''
    let body = -1
    let length: number | 'chunked' = 0
    let first = 0
    const started = performance.now()
    if (socket.destroyed) return reject(new Error('the connection was closed between two calls'))

    const end = (error?: Error) => {
      socket.off('data', read).off('close', closed).off('error', end)
      if (error)
        reject(new Error(`${socket.remotePort ?? 'a closed connection'}, ${text.length} bytes read: ${error.message}`, { cause: error }))
      else resolve({ first, last: performance.now() - started })
    }
    const closed = () => end(new Error(`the connection was closed after ${text.length} bytes: ${text.slice(0, 300)}`))
    const read = (data: Buffer) => {
      text += data.toString('latin1')
      if (body < 0) {
        const blank = text.indexOf('\r\n\r\n')
        if (blank < 0) return
        body = blank + 4
        const head = text.slice(0, body)
        const given = /\ncontent-length: *(\d+)/i.exec(head)?.[1]
        length = given === undefined ? 'chunked' : Number(given)
        if (!head.startsWith('HTTP/1.1 200')) return end(new Error(`answered ${text.slice(0, 1_000)}`))
      }
      if (first === 0 && text.length > body) first = performance.now() - started
      // No text of this benchmark ends like the last chunk.
      if (length === 'chunked' ? text.endsWith('0\r\n\r\n') && text.length > body : text.length >= body + length) end()
    }
    socket.on('data', read).once('close', closed).once('error', end)
    socket.write(request)
  })
}
