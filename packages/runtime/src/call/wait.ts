// A call that ends with a wait: its run is paused until the wait has ended. In the meantime only a database row is needed.
/** `until` is in milliseconds since 1970: a wait for a time ends then; a wait for a run or a workflow times out. */
export type Wait =
  /** The id of the approval or the question. */
  | { readonly for: 'approval' | 'question'; readonly id: string; readonly until?: undefined }
  /** The id of the run or the workflow run. */
  | { readonly for: 'child' | 'workflow'; readonly id: string; readonly until?: number }
  /** A new id. */
  | { readonly for: 'time'; readonly id: string; readonly until: number }

/** How the wait ended. */
export type WaitEnd = { readonly outcome: 'completed'; readonly value: unknown } | { readonly outcome: 'timed_out' }

/** What `run` of a tool returns if its effect must be recorded together with its result: both, or neither. */
export class Committing<Output = unknown> {
  /** Called in the transaction that records the result, and returns it. A `ToolFailure` undoes the transaction and is the result. */
  readonly commit: () => Output

  constructor(commit: () => Output) {
    this.commit = commit
  }
}

/** What `run` of a tool returns instead of a result. */
export class Waiting {
  readonly wait: Wait
  /** Called in the transaction that records the wait, so that what is waited for is started with it or not at all. */
  readonly begin: () => void

  constructor(wait: Wait, begin: () => void = () => undefined) {
    this.wait = wait
    this.begin = begin
  }
}
