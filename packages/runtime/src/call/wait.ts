// A call that ends with a wait: its run is paused until what it waits for has ended. Meanwhile only a row is kept.
import type { waitSubjects } from '@tandem/contract/run'

export interface Wait {
  readonly for: (typeof waitSubjects)[number]
  /** Of what is waited for: a question, a run, a workflow run. A wait for a time has an id of its own. */
  readonly id: string
  /** In milliseconds since 1970. A wait for a time ends then; any other wait times out. */
  readonly until?: number
}

/** How what was waited for ended. */
export type WaitEnd = { readonly outcome: 'completed'; readonly value: unknown } | { readonly outcome: 'timed_out' }

/** What `run` of a tool answers with instead of a result. */
export class Waiting {
  readonly wait: Wait
  /** Called in the transaction that records the wait: what is waited for begins in it, or not at all. */
  readonly begin: () => void

  constructor(wait: Wait, begin: () => void = () => undefined) {
    this.wait = wait
    this.begin = begin
  }
}
