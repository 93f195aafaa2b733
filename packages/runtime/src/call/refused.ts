// How the sandbox says no. The pipeline turns it into the same failure value as a tool's own failure.

export interface RefusalFacts {
  /** The thing that was refused: a path, a host, a command. */
  readonly subject?: string
  /** What the caller can do about it. */
  readonly remedy?: string
  /** Decides the taxonomy: `policy` is the agent's tool policy, `sandbox` is the mode and the walls that always stand. */
  readonly blocked_by: 'policy' | 'sandbox'
  readonly attempted?: 'read' | 'write' | 'network' | 'execute'
  readonly cause?: unknown
}

export class Refused extends Error {
  readonly reason_code: string
  readonly facts: RefusalFacts

  constructor(reason_code: string, message: string, facts: RefusalFacts) {
    super(message, { cause: facts.cause })
    this.name = 'Refused'
    this.reason_code = reason_code
    this.facts = facts
  }
}
