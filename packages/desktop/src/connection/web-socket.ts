import type { Socket, SocketEvents } from './channel.ts'

export function openWebSocket(address: string, on: SocketEvents): Socket {
  const socket = new WebSocket(address)
  socket.onopen = () => on.opened()
  socket.onmessage = ({ data }) => on.message(String(data))
  socket.onclose = () => on.closed()
  return {
    // One that is closing reports nothing but an error in the console; `closed`, which follows, ends the call.
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    close: () => socket.close(),
  }
}
