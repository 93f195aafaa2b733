// A server of the gateway benchmark, in its own process, or with WORKERS the backend in several, each of which runs this file again: the whole backend, a bare streaming proxy as the limit, or the provider.
import cluster from 'node:cluster'
import { Agent, createServer, request } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'

const usage = { prompt_tokens: 21, completion_tokens: 13, total_tokens: 34 }
const chunk = (choices: object[], extra: object = {}) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'mock', choices, ...extra })}\n\n`
const events = [
  ...Array.from({ length: 8 }, (_, index) => chunk([{ index: 0, delta: { content: ` word ${index}` }, finish_reason: null }])),
  chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  chunk([], { usage }),
  'data: [DONE]\n\n',
]

const [kind, ...settings] = process.argv.slice(2)
const start = { backend: startBackend, bare: startBare, upstream: startUpstream }[kind ?? '']
if (!start) throw new Error(`there is no server "${kind}"`)
const url = await start()
if (!cluster.isWorker) process.send?.({ url })

// Releases free memory, so that resident memory is what is in use and not the earlier maximum.
process.on('message', () => {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  process.send?.({ settled: true })
})

// The parent process has ended: nothing else would stop this one.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

async function startBackend(): Promise<string> {
  // Only this process should load the backend.
  const { startServer } = await import('../packages/server/src/main.ts')
  const started = await startServer(Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/s, 2))), { workers: true })
  if (!started.ok) throw new Error(started.problems.join('\n'))
  process.once('SIGTERM', () => started.server.stop().then(() => process.exit(0)))
  return started.server.url
}

/** The minimum of a proxy in Node: bytes in, bytes out, keep-alive connections on both sides. */
async function startBare(): Promise<string> {
  const [target = ''] = settings
  const { hostname, port } = new URL(target)
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
  const server = createServer((incoming, outgoing) => {
    const headers = { 'content-type': incoming.headers['content-type'], 'content-length': incoming.headers['content-length'] }
    const onward = request({ agent, hostname, port, path: '/v1/chat/completions', method: 'POST', headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  return await listening(server)
}

/** Implements just enough HTTP over a socket to not affect what is measured. */
async function startUpstream(): Promise<string> {
  const message = { role: 'assistant', content: 'All is well. '.repeat(40) }
  const body = JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'mock',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  })
  const whole = Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
  const framed = events.map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  const models = '{"object":"list","data":[{"id":"mock","object":"model","created":1,"owned_by":"bench"}]}'
  const list = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${models.length}\r\n\r\n${models}`

  function answer(socket: Socket, asked: string): void {
    if (asked.startsWith('GET')) socket.write(list)
    else if (!/"stream": ?true/.test(asked)) socket.write(whole)
    else {
      socket.write(head + framed[0])
      // The rest is sent later, so that the first byte arrives separately.
      setTimeout(() => socket.write(`${framed.slice(1).join('')}0\r\n\r\n`), 4)
    }
  }

  const server = createSocketServer({ noDelay: true }, (socket) => {
    let text = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      text += data.toString('latin1')
      for (;;) {
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = /\ntransfer-encoding: *chunked/i.test(text.slice(0, end))
          ? text.indexOf('0\r\n\r\n', end) - end + 1
          : Number(/\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
        if (length <= 0 && !text.startsWith('GET')) return
        if (text.length < end + 4 + length) return
        answer(socket, text.slice(0, end + 4 + length))
        text = text.slice(end + 4 + length)
      }
    })
  })
  return await listening(server)
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
