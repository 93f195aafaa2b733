// A token authenticates a socket; a later token extends it.
import { limits } from '@tandem/contract/limits'
import type { Services } from '../services.ts'
import type { NodeHub } from './hub.ts'
import type { RealtimeSocket } from './socket.ts'

export type SignInServices = Pick<Services, 'tokens' | 'endedSessions' | 'epoch' | 'now'> & { readonly hub: NodeHub }

export async function signIn(desk: SignInServices, socket: RealtimeSocket, token: string, deviceId: string | undefined): Promise<void> {
  const checked = await desk.tokens.check(token, desk.now())
  if (!socket.open) return
  if (!checked.ok && checked.code === 'accounts_unavailable') {
    socket.shut(1012)
    return
  }
  // A socket never changes its user.
  if (!checked.ok || (socket.user_id !== undefined && socket.user_id !== checked.caller.user_id)) {
    socket.shut(4401)
    return
  }
  const { user_id, session_id, expires_at } = checked.caller
  const isNew = socket.user_id === undefined
  socket.user_id = user_id
  socket.session_id = session_id
  socket.device_id = deviceId ?? socket.device_id
  // Never longer than the lifetime of our own tokens, even for tokens of a platform.
  socket.expires_at = Math.min(expires_at * 1_000, desk.now() + limits.access_token_seconds * 1_000)
  if (isNew && !(await desk.hub.join(user_id, socket))) {
    socket.shut(4430)
    return
  }
  await sendHello(desk, socket)
}

/** Checks the session only after the hub listens: an end that is not marked yet will be received. */
export async function sendHello(desk: SignInServices, socket: RealtimeSocket): Promise<void> {
  const { user_id, session_id } = socket
  if (user_id === undefined || session_id === undefined) return
  if (await desk.endedSessions.has(user_id, session_id)) {
    socket.shut(4409)
    return
  }
  socket.greeted = true
  socket.say({ type: 'hello', session_id, server_ts: new Date(desk.now()).toISOString(), epoch: desk.epoch.current })
}
