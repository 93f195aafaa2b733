// Packs units into passages of 200 to 400 tokens.
import type { Unit } from './units.ts'
import { charactersPerToken } from './weight.ts'

export const chunkLimits = {
  least: 200,
  /** With the overlap and what is added to every text, at most 400. */
  most: 350,
  /** Text of the passage before, which is repeated. */
  overlap: 30,
  /** What remains at the end of a section is not smaller, if possible. */
  rest: 60,
} as const

/** Linear: only the units of about one passage are considered at a time. Units of different pages are never packed together. */
export function* packed(units: Iterable<Unit>): Generator<readonly Unit[]> {
  let window: Unit[] = []
  let total = 0
  for (const unit of units) {
    const before = window.at(-1)
    if (before && (before.page !== unit.page || gapBetween(before, unit) > chunkLimits.rest)) {
      yield* divided(window)
      window = []
      total = 0
    }
    total += unit.weight + gapBetween(window.at(-1), unit)
    window.push(unit)
    while (total > chunkLimits.most + chunkLimits.rest) {
      const count = bestCount(window, 0)
      yield window.slice(0, count)
      window = window.slice(count)
      total = totalOf(window)
    }
  }
  yield* divided(window)
}

/** The end of a section. */
function* divided(units: readonly Unit[]): Generator<readonly Unit[]> {
  let left = units
  while (totalOf(left) > chunkLimits.most) {
    const count = bestCount(left, chunkLimits.rest)
    yield left.slice(0, count)
    left = left.slice(count)
  }
  if (left.length > 0) yield left
}

/** How many units the next passage has. The rest should weigh at least `rest`. */
function bestCount(units: readonly Unit[], rest: number): number {
  const all = totalOf(units)
  let weight = 0
  let best = 1
  let bestScore: readonly number[] = []
  for (const [index, unit] of units.entries()) {
    const before = units[index - 1]
    if (before && weight <= chunkLimits.most) {
      // In the order of importance: not directly after a heading, large enough, enough left, at a good place, and always the same place.
      const score = [
        before.kind === 'heading' ? 0 : 1,
        Math.min(weight, chunkLimits.least),
        Math.min(all - weight, rest),
        unit.rank,
        -unit.hash,
      ]
      if (isHigher(score, bestScore)) {
        best = index
        bestScore = score
      }
    }
    weight += unit.weight + gapBetween(before, unit)
  }
  return best
}

function isHigher(score: readonly number[], other: readonly number[]): boolean {
  for (const [index, value] of score.entries()) {
    const against = other[index] ?? Number.NEGATIVE_INFINITY
    if (value !== against) return value > against
  }
  return false
}

function totalOf(units: readonly Unit[]): number {
  return units.reduce((total, unit, index) => total + unit.weight + gapBetween(units[index - 1], unit), 0)
}

function gapBetween(before: Unit | undefined, unit: Unit): number {
  return before ? Math.ceil((unit.from - before.to) / charactersPerToken) : 0
}
