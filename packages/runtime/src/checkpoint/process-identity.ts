// A process by its pid and the time it started: the pid alone may belong to another process by now.
export interface ProcessIdentity {
  readonly pid: number
  /** In ticks since the system started, as the system tells it. */
  readonly started: string
}
