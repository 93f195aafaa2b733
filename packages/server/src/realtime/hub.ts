// Delivers to the sockets of a user, on any node: one cache channel per user, subscribed to by the nodes with sockets of that user.
// This node's own sockets are served directly, so that they work while the cache is down.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@tandem/contract/limits'
import type { ServerMessage } from '@tandem/contract/ws'
import { type Cache, CacheUnavailable } from '../cache/cache.ts'
import type { Hub } from '../services.ts'
import type { SyncHint } from './hint.ts'

/** A socket, as the hub sees it. */
export interface HubMember {
  readonly session_id: string | undefined
  tell(telling: PreparedMessage): void
  endSession(): void
}

/** A message that is serialized once for all recipients. */
export interface PreparedMessage {
  readonly bytes: Buffer
  readonly hint: SyncHint | undefined
}

export interface NodeHub extends Hub {
  /** Resolves when all later messages will be received; false if the user has too many sockets on this node. */
  join(userId: string, member: HubMember): Promise<boolean>
  leave(userId: string, member: HubMember): void
  /**
   * `renew` is called for each member, a few at a time, after messages may have been lost: more while this node is idle, fewer while it
   * is `busy`.
   */
  onLoss(renew: (member: HubMember) => void, busy?: () => boolean): void
  close(): Promise<void>
}

interface Room {
  readonly members: Set<HubMember>
  /** Ends the subscription, if there is one. */
  readonly leave: Promise<(() => Promise<void>) | undefined>
}

// A message between nodes is the sender's id, one letter and the rest: forwarded unchanged, parsed only if necessary.
const nameLength = 36
const kinds = { hint: 'h', message: 'm', ended: 'e' }

const unsentAtMost = 10_000

interface HubOptions {
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

const tickMs = 100
/** How many are told to pull in the first tick after a loss, at least, and at most: each of them then sends a request. */
export const renewals = { first: 10, least: 1, most: 50, more: 5 }

/** How many to tell in the next tick. As many as the node can serve: it is slowed down quickly and speeds up slowly. */
export function nextRenewals(last: number, busy: boolean): number {
  return busy ? Math.max(renewals.least, Math.floor(last / 2)) : Math.min(renewals.most, last + renewals.more)
}

export function openHub(cache: Cache, log: (line: string) => void, { pause = pauseFor }: HubOptions = {}): NodeHub {
  const node = randomUUID()
  const rooms = new Map<string, Room>()
  const closed = new AbortController()
  let sockets = 0

  // Other nodes may be connected while our connection is down: they cannot know that they missed something, so it is sent later.
  const unsent: (readonly [userId: string, text: string])[] = []
  let sayingAgain: NodeJS.Timeout | undefined

  function publish(userId: string, text: string): void {
    cache.publish(channelOf(userId), node + text).catch((error: unknown) => {
      // An outage is logged where the connection breaks.
      if (!(error instanceof CacheUnavailable)) report('publishing', error)
      else if (!closed.signal.aborted && unsent.length < unsentAtMost) unsent.push([userId, text])
      if (unsent.length > 0) sayingAgain ??= setTimeout(sayAgain, 1_000).unref()
    })
  }

  function sayAgain(): void {
    sayingAgain = undefined
    for (const [userId, text] of unsent.splice(0)) publish(userId, text)
  }

  function hear(userId: string, text: string): void {
    if (text.startsWith(node)) return
    const kind = text[nameLength]
    const rest = text.slice(nameLength + 1)
    if (kind === kinds.ended) endHere(userId, JSON.parse(rest))
    else if (kind === kinds.hint || kind === kinds.message) tellHere(userId, rest, kind === kinds.hint)
    // Anything else comes from a newer node, which takes older ones into account.
  }

  function tellHere(userId: string, text: string, isHint: boolean): void {
    const room = rooms.get(userId)
    if (!room) return
    const hint: SyncHint | undefined = isHint ? JSON.parse(text) : undefined
    const telling = { bytes: Buffer.from(text), hint }
    for (const member of room.members) member.tell(telling)
  }

  function endHere(userId: string, sessionIds: readonly string[]): void {
    const ended = new Set<string | undefined>(sessionIds)
    for (const member of rooms.get(userId)?.members ?? []) if (ended.has(member.session_id)) member.endSession()
  }

  function openRoom(userId: string): Room {
    const subscribed = cache.subscribe(channelOf(userId), (text) => hear(userId, text))
    const room: Room = {
      members: new Set(),
      leave: subscribed.catch((error: unknown) => {
        if (!(error instanceof CacheUnavailable)) report('subscribing', error)
        return undefined
      }),
    }
    rooms.set(userId, room)
    return room
  }

  async function endSubscription(room: Room): Promise<void> {
    const leave = await room.leave
    await leave?.()
  }

  function report(what: string, error: unknown): void {
    log(`realtime: ${what} failed: ${error instanceof Error ? error.message : String(error)}`)
  }

  let renewing = 0
  async function renewAll(renew: (member: HubMember) => void, busy: () => boolean): Promise<void> {
    renewing += 1
    const turn = renewing
    const members = [...rooms.values()].flatMap((room) => [...room.members])
    let share = busy() ? renewals.least : renewals.first
    for (let start = 0; start < members.length; ) {
      if (start > 0) {
        await pause(tickMs, closed.signal)
        share = nextRenewals(share, busy())
      }
      // Lost again meanwhile: the newer round notifies everyone.
      if (turn !== renewing) return
      for (const member of members.slice(start, start + share)) renew(member)
      start += share
    }
  }

  return {
    get sockets() {
      return sockets
    },
    tell(userId, message: ServerMessage) {
      const text = JSON.stringify(message)
      const isHint = message.type === 'sync.changed'
      tellHere(userId, text, isHint)
      publish(userId, (isHint ? kinds.hint : kinds.message) + text)
    },
    endSessions(userId, sessionIds) {
      if (sessionIds.length === 0) return
      endHere(userId, sessionIds)
      publish(userId, kinds.ended + JSON.stringify(sessionIds))
    },
    async join(userId, member) {
      const room = rooms.get(userId) ?? openRoom(userId)
      // Counted on this node only: a count across nodes would outlive those that crash.
      if (room.members.size >= limits.ws_sockets_per_user) return false
      room.members.add(member)
      sockets += 1
      await room.leave
      return true
    },
    leave(userId, member) {
      const room = rooms.get(userId)
      if (!room?.members.delete(member)) return
      sockets -= 1
      if (room.members.size > 0) return
      rooms.delete(userId)
      endSubscription(room).catch((error: unknown) => report('unsubscribing', error))
    },
    onLoss(renew, busy = () => false) {
      cache.onReconnect(() => {
        renewAll(renew, busy).catch((error: unknown) => {
          if (!closed.signal.aborted) report('asking for a pull', error)
        })
      })
    },
    async close() {
      closed.abort()
      clearTimeout(sayingAgain)
      const left = [...rooms.values()]
      rooms.clear()
      sockets = 0
      await Promise.all(left.map((room) => endSubscription(room).catch((error: unknown) => report('unsubscribing', error))))
    },
  }
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false })
}

function channelOf(userId: string): string {
  return `user:${userId}`
}
