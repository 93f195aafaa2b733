// The desk of this window, created on first use.
import { rpcPath } from '@tandem/contract/command'
import { systemClock } from '../connection/clock.ts'
import { codeIn, isHostThere, openSession } from '../connection/session.ts'
import { openWebSocket } from '../connection/web-socket.ts'
import { keptModes } from '../store/kept-modes.ts'
import { type Desk, openDesk } from './desk.ts'

let desk: Desk | null = null

export function windowDesk(): Desk {
  desk ??= open()
  return desk
}

function open(): Desk {
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${rpcPath}`
  const opened = openDesk(
    systemClock,
    keptModes(() => localStorage),
    { open: (on) => openWebSocket(address, on), isHostThere },
  )
  // A new link opened in the same tab changes only the fragment.
  addEventListener('hashchange', () => {
    if (codeIn(location.hash) !== null) void openSession().then(() => opened.channel.reconnect())
  })
  addEventListener('online', () => opened.channel.reconnect())
  return opened
}
