import type { Socket, SocketEvents } from './channel.ts'

export function openWebSocket(address: string, on: SocketEvents): Socket {
  const socket = new WebSocket(address)
  socket.onopen = () => on.opened()
  socket.onmessage = ({ data }) => on.message(String(data))
  socket.onclose = () => on.closed()
  return { send: (text) => socket.send(text), close: () => socket.close() }
}
