// Names are resolved by a few threads that also read files. A name server that does not respond must not take all of them.
import type { Resolve } from '../sandbox/network/resolve.ts'

/** At most `most` at a time; the others wait in order. A place is free only when its request has really ended. */
export function limitedResolve(resolve: Resolve, most: number): Resolve {
  const waiting: (() => void)[] = []
  let running = 0
  return async (host) => {
    if (running === most) await new Promise<void>((next) => waiting.push(next))
    else running += 1
    try {
      return await resolve(host)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
