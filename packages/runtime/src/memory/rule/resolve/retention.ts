// How long a memory is kept. Pure.
import { isMemoryExpired, type Memory, memoryExpiry, memoryRetention } from '@tandem/contract/memory'

type RetainedMemory = Pick<Memory, 'memory_kind' | 'created_at' | 'last_used_at' | 'confirmed_by_user' | 'expires_at' | 'quotes'>

/** The latest time that the wire format can represent. */
const endOfTime = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * When a memory is archived: the period of its kind after it was created, last used or stated again, whichever is latest; twice the period
 * if the user confirmed it. A time earlier than the period of its kind is its own, and is not extended. Null means never: a new memory has a
 * time, so only the user can have removed it.
 */
export function expiryOf(memory: RetainedMemory, now: string): string | null {
  const { memory_kind, created_at, last_used_at, confirmed_by_user, expires_at } = memory
  const retention = memoryRetention[memory_kind]
  const base = memoryExpiry(memory_kind, created_at)
  if (expires_at === null || retention === null || base === null || expires_at < base) return expires_at
  const times = [last_used_at, lastStatedAt(memory)].filter((time) => time !== null && time <= now)
  const start = times.reduce<string>((latest, time) => (time !== null && time > latest ? time : latest), created_at)
  const period = confirmed_by_user ? 2 * retention : retention
  const expiry = new Date(Math.min(Date.parse(start) + period, endOfTime)).toISOString()
  return expires_at > expiry ? expires_at : expiry
}

/** Whether an active memory is to be archived at `now`. */
export function isDue(memory: RetainedMemory & Pick<Memory, 'state'>, now: string): boolean {
  return memory.state === 'active' && isMemoryExpired({ expires_at: expiryOf(memory, now) }, now)
}

/** A merged memory has the quotes of every time it was stated; the ids of their messages contain the times. */
function lastStatedAt({ quotes }: Pick<Memory, 'quotes'>): string | null {
  const times = quotes.flatMap(({ message_id }) => {
    const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(message_id) ?? []
    return high === undefined || low === undefined ? [] : [Number.parseInt(high + low, 16)]
  })
  return times.length === 0 ? null : new Date(Math.min(Math.max(...times), endOfTime)).toISOString()
}
