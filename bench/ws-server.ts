// The server of the socket benchmark, in its own process: the whole backend, or bare `ws` as the limit. Sends its address over IPC.
import { type WebSocket, WebSocketServer } from 'ws'
import { startServer } from '../packages/server/src/main.ts'

const [kind, ...settings] = process.argv.slice(2)
const url = kind === 'bare' ? await startBare() : await startBackend()
process.send?.({ url })

// Releases free memory, so that resident memory is what the sockets need and not what connecting them needed.
process.on('message', () => {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  process.send?.({ settled: true })
})

async function startBackend(): Promise<string> {
  const started = await startServer(Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/s, 2))))
  if (!started.ok) throw new Error(started.problems.join('\n'))
  process.once('SIGTERM', () => started.server.stop().then(() => process.exit(0)))
  return started.server.url
}

/** Sends each message to all sockets whose address has the same path: the minimum cost of a hint. */
async function startBare(): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  const rooms = new Map<string, Set<WebSocket>>()
  server.on('connection', (socket, request) => {
    const room = rooms.get(request.url ?? '') ?? new Set()
    rooms.set(request.url ?? '', room.add(socket))
    socket.on('message', (data) => {
      for (const member of room) member.send(data, { binary: false })
    })
  })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
