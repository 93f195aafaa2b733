// One open socket with its state. Thousands are open at once: handlers are shared, and allocations per message are avoided.
import { limits } from '@tandem/contract/limits'
import { type CloseCode, closeCodes, type ServerMessage } from '@tandem/contract/ws'
import { WebSocket } from 'ws'
import { type HeldHints, holdHint } from './hint.ts'
import type { HubMember, PreparedMessage } from './hub.ts'

const asText = { binary: false, compress: false }
/** The protocol's close code for a message over `maxPayload`. */
const protocolTooBig = 1009

export class RealtimeSocket extends WebSocket implements HubMember {
  user_id: string | undefined
  session_id: string | undefined
  device_id: string | undefined
  /** When the token expires, in milliseconds since 1970. */
  expires_at = 0
  opened_at = 0
  /** The keeper's turn in which it is pinged. */
  turn = 0
  /** No hints are sent before `hello`. */
  greeted = false
  /** Whether anything arrived since the last ping. */
  heard = true
  /** Messages since the last ping. */
  messages = 0
  faults = 0
  /** At most one authentication runs at a time; later ones wait for it. */
  signingIn: Promise<void> | undefined
  #hinting = false
  #held: HeldHints | undefined

  get open(): boolean {
    return this.readyState === WebSocket.OPEN
  }

  say(message: ServerMessage): void {
    this.#send(JSON.stringify(message))
  }

  tell(telling: PreparedMessage): void {
    if (!this.greeted || !this.open) return
    if (telling.hint) this.#hint(telling)
    else this.#send(telling.bytes)
  }

  shut(code: CloseCode): void {
    this.close(code, closeCodes[code].name)
  }

  endSession(): void {
    this.shut(4409)
  }

  /** `ws` closes an oversized message with the protocol's own code; clients expect ours. */
  override close(code?: number, reason?: string): void {
    if (code === protocolTooBig) super.close(4413, closeCodes[4413].name)
    else super.close(code, reason)
  }

  /** At most one hint is in transit; later ones are held and merged into one per writing device. */
  #hint(telling: PreparedMessage): void {
    if (this.#hinting && telling.hint) {
      this.#held ??= new Map()
      holdHint(this.#held, telling.hint)
      return
    }
    this.#hinting = true
    this.#send(telling.bytes, () => this.#hinted())
  }

  /** The hint was sent to the network, or the socket is lost. */
  #hinted(): void {
    this.#hinting = false
    const held = this.#held
    if (!held || !this.open) return
    this.#held = undefined
    this.#hinting = true
    const texts = [...held.values()].map((hint) => JSON.stringify(hint))
    const last = texts.pop()
    for (const text of texts) this.#send(text)
    if (last !== undefined) this.#send(last, () => this.#hinted())
  }

  #send(data: Buffer | string, sent?: (error?: Error) => void): void {
    if (!this.open) return
    if (this.bufferedAmount > limits.ws_buffer_bytes) {
      this.shut(4429)
      return
    }
    this.send(data, asText, sent)
  }
}
