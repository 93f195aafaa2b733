// A process by its pid and start time: the pid alone may belong to another process by now.
export interface ProcessIdentity {
  readonly pid: number
  /** In ticks since the system started, as reported by the system. */
  readonly started: string
}
