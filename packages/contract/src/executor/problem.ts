// Why an executor cannot be used now, and when the next attempt is. The window, the command line and the checks of skills show it.
import { negotiationFailures } from './failure.ts'
import type { ListedExecutor } from './schema.ts'

/** Null if it can be used. */
export function executorProblem({ state, negotiation }: Pick<ListedExecutor, 'state' | 'negotiation'>): string | null {
  if (state === 'ready') return null
  if (negotiation === null) return 'It has not been tested yet.'
  const next = `The next attempt is at ${negotiation.next_attempt_at.replace('T', ' ').slice(0, 19)} UTC.`
  if (negotiation.outcome === 'failed') return `${negotiationFailures[negotiation.reason].title}. ${next}`
  return `Its last negotiation has expired. ${next}`
}
