// How many requests of one user are open on this node, bodies that still arrive among them: those are held in memory.
// Calls of models are open for minutes and have a limit that the operator sets, so they are counted apart.
import { refuse } from './refusal.ts'

export type OpenKind = 'requests' | 'model_calls'

/** A response, of which only its end counts here. */
interface Closes {
  once(event: 'close', listener: () => void): unknown
}

export interface OpenRequests {
  /** Counts the request until its reply is over; refuses when the user has too many of its kind open. */
  open(user: string, response: Closes, kind: OpenKind): void
}

export const requestsOpen = 40

const words = { requests: 'requests', model_calls: 'calls of models' } as const satisfies Record<OpenKind, string>

export function countOpenRequests(most: Readonly<Record<OpenKind, number>>): OpenRequests {
  const open = new Map<string, number>()
  return {
    open(user, response, kind) {
      const key = `${kind} ${user}`
      const count = open.get(key) ?? 0
      if (count >= most[kind])
        throw refuse('rate_limited', `${count} ${words[kind]} of this account are open at once`, { retry_after_seconds: 1 })
      open.set(key, count + 1)
      response.once('close', () => {
        const left = (open.get(key) ?? 1) - 1
        if (left === 0) open.delete(key)
        else open.set(key, left)
      })
    },
  }
}
