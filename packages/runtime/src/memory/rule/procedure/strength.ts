// How sure a procedure is, after the runs that followed it. Pure.

export interface ProcedureStrength {
  readonly confidence: number
  readonly successes: number
  readonly failures: number
}

/** The more runs are known, the less one more changes. A failure counts twice: following a wrong procedure costs more than not knowing it. */
const failureWeight = 2

export function strengthen({ confidence, successes, failures }: ProcedureStrength): ProcedureStrength {
  return { confidence: fraction(confidence + (1 - confidence) * share(successes + failures)), successes: successes + 1, failures }
}

export function weaken({ confidence, successes, failures }: ProcedureStrength): ProcedureStrength {
  return { confidence: fraction(confidence * (1 - failureWeight * share(successes + failures))), successes, failures: failures + 1 }
}

function share(runs: number): number {
  return 1 / (runs + 3)
}

function fraction(value: number): number {
  return Math.min(1, Math.max(0, value))
}
