// Which addresses are blocked because they sent too many wrong tokens. The correct token from any other address always works.

export const wrongTokenLimits = { tokens: 10, window_ms: 60_000, block_ms: 60_000, addresses: 10_000 } as const

export interface WrongTokens {
  isBlocked(address: string, now: number): boolean
  add(address: string, now: number): void
}

interface Counted {
  readonly since: number
  readonly tokens: number
}

export function openWrongTokens(): WrongTokens {
  const counted = new Map<string, Counted>()
  // Apart from those that are only counted: these must not displace one that is blocked.
  const blockedUntil = new Map<string, number>()
  return {
    isBlocked: (address, now) => now < (blockedUntil.get(networkOf(address)) ?? 0),
    add(address, now) {
      const key = networkOf(address)
      const next = counting(counted.get(key), now)
      if (next.tokens >= wrongTokenLimits.tokens) {
        counted.delete(key)
        putLast(blockedUntil, key, now + wrongTokenLimits.block_ms)
      } else putLast(counted, key, next)
    },
  }
}

/** In order of the last wrong token, so that the oldest are forgotten first. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > wrongTokenLimits.addresses && oldest !== undefined) map.delete(oldest)
}

function counting(before: Counted | undefined, now: number): Counted {
  const isRecent = before !== undefined && now >= before.since && now - before.since < wrongTokenLimits.window_ms
  return isRecent ? { since: before.since, tokens: before.tokens + 1 } : { since: now, tokens: 1 }
}

/** One machine has many IPv6 addresses, all with the same first 64 bits. */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!bare.includes(':')) return bare
  const [head = '', tail] = bare.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
