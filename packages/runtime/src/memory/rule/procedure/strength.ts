// How sure a procedure is, after the runs that followed it. Pure.

export interface ProcedureStrength {
  readonly confidence: number
  readonly successes: number
  readonly failures: number
}

/** A procedure that no run has followed yet. */
export const unproven: ProcedureStrength = { confidence: 0.4, successes: 0, failures: 0 }

/** Below this confidence a procedure is not used. */
const weakest = 0.3
/** What worked once may be chance. */
const fewestSuccesses = 2

/** The more runs are known, the less one more changes. A failure counts twice: following a wrong procedure costs more than not knowing it. */
const failureWeight = 2

export function strengthen({ confidence, successes, failures }: ProcedureStrength): ProcedureStrength {
  return { confidence: fraction(confidence + (1 - confidence) * share(successes + failures)), successes: successes + 1, failures }
}

export function weaken({ confidence, successes, failures }: ProcedureStrength): ProcedureStrength {
  return { confidence: fraction(confidence * (1 - failureWeight * share(successes + failures))), successes, failures: failures + 1 }
}

/** A run that had counted as a success did not go well after all. */
export function takeBack({ successes, ...strength }: ProcedureStrength): ProcedureStrength {
  return weaken({ ...strength, successes: Math.max(0, successes - 1) })
}

export function isTooWeak({ confidence, successes }: ProcedureStrength): boolean {
  return confidence < weakest || successes < fewestSuccesses
}

function share(runs: number): number {
  return 1 / (runs + 3)
}

function fraction(value: number): number {
  return Math.min(1, Math.max(0, value))
}
