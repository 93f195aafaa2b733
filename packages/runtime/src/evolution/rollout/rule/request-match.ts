// Whether a request is one that a recommendation is for: by the share of its concepts that the description names. Pure.
import { conceptsOf } from '../../rule/concepts.ts'

/** Determined on the tuning history: see docs/decisions/0076. */
export const leastMatch = 0.35

const isParameter = /^v?\d[\d.:-]*$/

/** From 0 to 1. `texts`: the description and the requests it was made from. */
export function matchScore(request: string, texts: readonly string[]): number {
  const known = new Set(texts.flatMap((text) => conceptsOf(text).map(({ name }) => name)))
  const asked = conceptsOf(request).filter(({ name }) => !isParameter.test(name))
  const weight = (concepts: typeof asked) => concepts.reduce((sum, one) => sum + one.weight, 0)
  const all = weight(asked)
  return all === 0 ? 0 : Math.min(1, weight(asked.filter(({ name }) => known.has(name))) / all)
}

/** The share of the steps that a run did; null if the steps are not known. */
export function closenessOf(steps: readonly string[], done: ReadonlySet<string>): number | null {
  return steps.length === 0 ? null : steps.filter((step) => done.has(step)).length / steps.length
}
