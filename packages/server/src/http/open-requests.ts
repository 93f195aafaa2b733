// How many requests of one user are open on this node, bodies that still arrive among them: those are held in memory.
import { refuse } from './refusal.ts'

const most = 40

/** A response, of which only its end counts here. */
interface Closes {
  once(event: 'close', listener: () => void): unknown
}

export interface OpenRequests {
  /** Counts the request until its reply is over; refuses when the user has too many open. */
  open(user: string, response: Closes): void
}

export function countOpenRequests(limit = most): OpenRequests {
  const open = new Map<string, number>()
  return {
    open(user, response) {
      const count = open.get(user) ?? 0
      if (count >= limit) throw refuse('rate_limited', `${count} requests of this account are open at once`, { retry_after_seconds: 1 })
      open.set(user, count + 1)
      response.once('close', () => {
        const left = (open.get(user) ?? 1) - 1
        if (left === 0) open.delete(user)
        else open.set(user, left)
      })
    },
  }
}
