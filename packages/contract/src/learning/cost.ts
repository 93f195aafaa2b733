import type { FailurePattern } from './schema.ts'

/** The most expensive first: by the sum of its shares of all tokens and of all time that were spent after failures. */
export function rankByCost(patterns: readonly FailurePattern[]): readonly FailurePattern[] {
  const tokens = Math.max(1, sum(patterns.map((one) => one.tokens)))
  const milliseconds = Math.max(1, sum(patterns.map((one) => one.milliseconds)))
  const cost = (one: FailurePattern) => one.tokens / tokens + one.milliseconds / milliseconds
  return patterns.toSorted((one, other) => cost(other) - cost(one) || other.occurrences - one.occurrences || (one.id < other.id ? 1 : -1))
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
