// A connection over a real WebSocket.
import type { HintConnection } from './hints.ts'

export function openWebSocket(url: string, subprotocol: string): HintConnection {
  const socket = new WebSocket(url, subprotocol)
  const line: HintConnection = {
    send(text) {
      // What is sent while it is closing is lost; its close event follows.
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: () => socket.close(),
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  }
  socket.onopen = () => line.onopen?.()
  socket.onmessage = ({ data }) => line.onmessage?.({ data })
  socket.onclose = ({ code }) => line.onclose?.({ code })
  socket.onerror = () => line.onerror?.()
  return line
}
