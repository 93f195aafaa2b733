// Password hashing with limited concurrency: it uses whole cores, and the node has other work.
import { availableParallelism } from 'node:os'
import { refuse } from '../http/refusal.ts'
import { dummyHash, hashPassword, isOutdated, type PasswordCost, passwordCost, verifyPassword } from './password-hash.ts'

export interface Hasher {
  hash(password: string): Promise<string>
  /** Takes the same time if the account does not exist. */
  verify(password: string, stored: string | undefined): Promise<boolean>
  isOutdated(stored: string): boolean
}

export interface HasherOptions {
  readonly cost?: PasswordCost
  readonly places?: number
  /** How many may wait; more are refused immediately. */
  readonly waiting?: number
}

export function openHasher(options: HasherOptions = {}): Hasher {
  const { cost = passwordCost, places = Math.max(1, availableParallelism() - 1), waiting = 24 } = options
  const decoy = dummyHash(cost)
  const queue: (() => void)[] = []
  let busy = 0

  async function inPlace<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= places) {
      if (queue.length >= waiting)
        throw refuse('overloaded', 'too many passwords are being checked at the same time', { retry_after_seconds: 1 })
      const { promise, resolve } = Promise.withResolvers<void>()
      queue.push(resolve)
      await promise
    } else busy += 1
    try {
      return await work()
    } finally {
      // The slot goes directly to the next in the queue, so that no other caller can take it.
      const next = queue.shift()
      if (next) next()
      else busy -= 1
    }
  }

  return {
    hash: (password) => inPlace(() => hashPassword(password, cost)),
    verify: (password, stored) =>
      inPlace(async () => {
        const right = await verifyPassword(password, stored ?? decoy)
        return right && stored !== undefined
      }),
    isOutdated: (stored) => isOutdated(stored, cost),
  }
}
