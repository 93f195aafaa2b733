// A socket to `/ws` that records what it receives.
import { type ServerMessage, subprotocolsWithToken } from '@tandem/contract/ws'
import { waitFor } from '../packages/server/test/support/test-wait.ts'

export interface SocketRecorder {
  readonly heard: ServerMessage[]
  /** The close code, once it is closed. */
  closed(): number | undefined
  close(): void
}

/** Resolves when the server has sent its hello. */
export async function recordSocket(url: string, token: string): Promise<SocketRecorder> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, subprotocolsWithToken(token))
  const heard: ServerMessage[] = []
  let code: number | undefined
  socket.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data))))
  socket.addEventListener('close', (event) => {
    code = event.code
  })
  await waitFor(() => heard.length > 0 || code !== undefined)
  if (heard[0]?.type !== 'hello') throw new Error(`no hello: ${code} ${JSON.stringify(heard)}`)
  return { heard, closed: () => code, close: () => socket.close() }
}
