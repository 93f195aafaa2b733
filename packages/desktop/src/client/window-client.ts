// The client of this window, created on first use.
import { rpcPath } from '@tandem/contract/command'
import { systemClock } from '../connection/clock.ts'
import { codeFromHash, isHostReachable, openSession } from '../connection/session.ts'
import { openWebSocket } from '../connection/web-socket.ts'
import { openCardModeStore } from '../store/card-modes.ts'
import { openRuntimeClient, type RuntimeClient } from './client.ts'

let client: RuntimeClient | null = null

export function windowClient(): RuntimeClient {
  client ??= open()
  return client
}

function open(): RuntimeClient {
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${rpcPath}`
  const opened = openRuntimeClient(
    systemClock,
    openCardModeStore(() => localStorage),
    { open: (on) => openWebSocket(address, on), isHostReachable: isHostReachable },
  )
  // A new link opened in the same tab changes only the fragment.
  addEventListener('hashchange', () => {
    if (codeFromHash(location.hash) !== null) void openSession().then(() => opened.channel.reconnect())
  })
  addEventListener('online', () => opened.channel.reconnect())
  return opened
}
