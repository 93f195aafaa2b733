// The real-time channel. Every message is a hint: it says when to look, never what is true.
import { reconnectAfter, type ServerMessage, wsSubprotocol } from '@tandem/contract/ws'
import type { Clock } from '../../clock/clock.ts'
import { backoff } from '../backoff.ts'

export interface Hints {
  /** Signed in or out: opens, closes or changes the connection. */
  refresh(): void
  stop(): void
}

/** The part of a WebSocket that is needed. */
export interface HintConnection {
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((message: { data: unknown }) => void) | null
  onclose: ((end: { code: number }) => void) | null
  onerror: (() => void) | null
}

export interface HintPorts {
  readonly clock: Clock
  readonly random: () => number
  readonly device_id: string
  /** Null while signed out. */
  address(): string | null
  token(): Promise<string | null>
  open(url: string, subprotocol: string): HintConnection
  /** Others wrote something, or messages may have been lost. */
  changed(): void
  task(task_id: string): void
  /** The connection is open, for the first time or again. */
  opened(): void
}

/** An access token is valid for 15 minutes; each new one is sent before it expires. */
const renew_ms = 10 * 60_000
/** A connection can be dead without being closed: it is pinged periodically, and must respond within this time. */
const ask_ms = 30_000
const answer_ms = 10_000

export function openHints(ports: HintPorts): Hints {
  const { clock, random, device_id } = ports
  let line: HintConnection | null = null
  let failures = 0
  let opening = 0
  let cancel: () => void = () => undefined
  let cancelAsking: () => void = () => undefined

  function close(): void {
    opening += 1
    cancel()
    cancelAsking()
    const before = line
    line = null
    if (!before) return
    before.onclose = null
    before.onmessage = null
    before.close()
  }

  async function open(): Promise<void> {
    close()
    const turn = opening
    const address = ports.address()
    const token = address === null ? null : await ports.token()
    if (turn !== opening || address === null) return
    if (token === null) {
      lost()
      return
    }
    const next = ports.open(`${address.replace(/^http/, 'ws')}/ws`, wsSubprotocol)
    line = next
    next.onopen = () => next.send(JSON.stringify({ type: 'auth', token, device_id }))
    next.onmessage = ({ data }) => heard(String(data))
    // A close event follows every error.
    next.onerror = () => undefined
    next.onclose = ({ code }) => {
      line = null
      cancelAsking()
      if (reconnectAfter(code) === 'never') return
      // The session may have ended. Asking now shows it immediately, not with the next heartbeat.
      if (reconnectAfter(code) === 'after_login') ports.changed()
      lost()
    }
    cancel = clock.after(renew_ms, () => void reAuth(next))
    // Opening it may take as long as a ping and its response.
    cancelAsking = clock.after(ask_ms + answer_ms, gone)
  }

  function askLater(): void {
    cancelAsking()
    cancelAsking = clock.after(ask_ms, () => {
      cancelAsking = clock.after(answer_ms, gone)
      line?.send(JSON.stringify({ type: 'ping' }))
    })
  }

  /** Messages sent meanwhile are lost; the next hello shows it. */
  function gone(): void {
    close()
    lost()
  }

  async function reAuth(current: HintConnection): Promise<void> {
    const token = await ports.token()
    if (line !== current) return
    if (token !== null) current.send(JSON.stringify({ type: 'auth', token, device_id }))
    cancel = clock.after(renew_ms, () => void reAuth(current))
  }

  function lost(): void {
    failures += 1
    cancel()
    cancel = clock.after(backoff(failures, random), () => void open())
  }

  function heard(text: string): void {
    const message = messageIn(text)
    askLater()
    switch (message?.type) {
      case 'hello':
        failures = 0
        ports.changed()
        ports.opened()
        return
      case 'sync.changed':
        if (message.device_id !== device_id) ports.changed()
        return
      case 'task.created':
      case 'task.updated':
      case 'task.canceled':
        ports.task(message.task_id)
        return
      default:
    }
  }

  return {
    refresh() {
      failures = 0
      void open()
    },
    stop: close,
  }
}

function messageIn(text: string): ServerMessage | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // Something between this device and the cloud sent this; an unreadable hint is ignored.
    return undefined
  }
}
