// The connections of a server, and which of them may be closed without anybody losing an answer.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Time for the first bytes of a connection to arrive; browsers also open some that they never use. */
const silenceMilliseconds = 1_000

interface Watched {
  readonly since: number
  open: number
  /** Bytes read when the last answer was over; undefined before the first. */
  settled: number | undefined
}

/**
 * From here on the server's own «close what is idle» means: answered, and nothing more has come; or silent for a while. Node's would also
 * close a connection that was accepted a moment ago, and whose request is on its way.
 */
export function closeOnlyIdle(server: Server, now: () => number = () => performance.now()): void {
  const watched = new Map<Socket, Watched>()
  server.on('connection', (socket: Socket) => {
    watched.set(socket, { since: now(), open: 0, settled: undefined })
    socket.once('close', () => watched.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, reply: ServerResponse) => {
    const one = watched.get(socket)
    if (!one) return
    one.open += 1
    reply.once('close', () => {
      one.open -= 1
      one.settled = socket.bytesRead
    })
  })
  server.closeIdleConnections = () => {
    for (const [socket, one] of watched) if (isIdle(one, socket.bytesRead, now())) socket.destroy()
  }
}

function isIdle({ since, open, settled }: Watched, bytesRead: number, now: number): boolean {
  if (open > 0) return false
  return settled === undefined ? bytesRead === 0 && now - since > silenceMilliseconds : bytesRead === settled
}
