// A behavior that a run has in common with others, as mining found it.
import type { Repeated } from './gap.ts'

export interface MinedBehavior extends Pick<Repeated, 'what' | 'repetitions' | 'runs' | 'days' | 'judged' | 'forbids'> {
  readonly signature: string
  /** The words by which skills of the registry are compared with it. Never shown. */
  readonly compared: readonly string[]
  readonly tools: readonly string[]
  readonly step_ids: readonly string[]
  /** A person's own words. */
  readonly words: string | null
  /** What happened, in our words. */
  readonly summary: string | null
  /** Of the latest runs. */
  readonly trace_ids: readonly string[]
}
