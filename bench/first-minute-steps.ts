// When each step of a first minute was done, in seconds since it began, and what was visible then.

export interface Step {
  readonly name: string
  readonly seconds: number
}

export interface StepClock {
  readonly steps: Step[]
  /** Called when the step is done. Looking at it takes no time of the user. */
  done(name: string, look?: () => Promise<void> | void): Promise<void>
}

export function startSteps(now: () => number = () => performance.now()): StepClock {
  let began = now()
  const steps: Step[] = []
  return {
    steps,
    async done(name, look) {
      const at = now()
      steps.push({ name, seconds: (at - began) / 1_000 })
      await look?.()
      began += now() - at
    },
  }
}

/** Polls, as a user looks again and again. */
export async function until(isDone: () => boolean, what: string, limit_ms = 60_000): Promise<void> {
  const end = performance.now() + limit_ms
  while (!isDone()) {
    if (performance.now() > end) throw new Error(`this did not happen within ${limit_ms / 1_000} s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
