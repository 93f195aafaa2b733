import { limits } from '@tandem/contract/limits'
import { expect, test } from 'vitest'
import { checkSocket } from './socket-timeouts.ts'

interface TestTimeouts {
  open: boolean
  user_id: string | undefined
  opened_at: number
  expires_at: number
  turn: number
  heard: boolean
  messages: number
}

function kept(known: Partial<TestTimeouts> = {}) {
  const done: string[] = []
  const socket = {
    ...{ open: true, user_id: 'mara', opened_at: 0, expires_at: 1e9, turn: 3, heard: true, messages: 9 },
    ...known,
    shut: (code: number) => done.push(`shut ${code}`),
    ping: () => done.push('ping'),
    terminate: () => done.push('terminate'),
  }
  return { socket, done }
}

function after(known: Partial<TestTimeouts>, turn: number, now: number): string[] {
  const { socket, done } = kept(known)
  checkSocket(socket, turn, now)
  return done
}

test('a socket is pinged in its own turn; it is closed after a whole round without a response', () => {
  const { socket, done } = kept()
  for (let turn = 0; turn < 30; turn += 1) checkSocket(socket, turn, 1_000)
  expect({ done, heard: socket.heard, messages: socket.messages }).toEqual({ done: ['ping'], heard: false, messages: 0 })
  for (let turn = 0; turn < 30; turn += 1) checkSocket(socket, turn, 1_000)
  expect(done).toEqual(['ping', 'terminate'])
})

test('the deadlines of authentication and of a token', () => {
  const patience = limits.ws_auth_seconds * 1_000
  expect([
    after({ user_id: undefined }, 3, patience - 1),
    after({ user_id: undefined }, 3, patience),
    after({ expires_at: 5_000 }, 0, 4_999),
    after({ expires_at: 5_000 }, 0, 5_000),
    after({ open: false, expires_at: 5_000 }, 3, 5_000),
  ]).toEqual([[], ['shut 4408'], [], ['shut 4401'], []])
})
