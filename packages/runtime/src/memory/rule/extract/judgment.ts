// Whether a sentence is worth keeping, and as which kind: by its signals and its usual words, with weights that were learned. Pure.
import { type MemoryKind, memoryKinds } from '@tandem/contract/memory'
import { wordFeatures } from './features.ts'
import type { Reading } from './reading.ts'
import type { Signal } from './signal/signal.ts'
import { signals, threshold } from './signals.ts'
import { bias, weights } from './weights.ts'

export interface Judgment {
  /** How likely it is worth keeping, from 0 to 1. */
  readonly likelihood: number
  readonly keeps: boolean
  readonly kind: MemoryKind
  /** The names of the signals that were found. */
  readonly signals: readonly string[]
}

/** Small signals alone, such as a day and a number, are not enough. */
const telling = 1.5
/** Chosen with the months for tuning, each judged with the weights of the others. */
export const leastLikelihood = 0.72

/** At equal weight, the more specific kind. */
const precedence: readonly MemoryKind[] = ['procedural', 'relationship', 'decision', 'preference', 'episodic', 'semantic']

export function judged(reading: Reading): Judgment {
  const { found, features } = weighed(reading)
  const weightOf = (kind: MemoryKind) => found.filter((signal) => signal.kind === kind).reduce((sum, { weight }) => sum + weight, 0)
  const byKind = new Map(memoryKinds.map((kind) => [kind, weightOf(kind)]))
  const best = Math.max(...byKind.values())
  const kind = best <= 0 ? 'semantic' : (precedence.find((one) => byKind.get(one) === best) ?? 'semantic')
  let sum = bias
  for (const [name, value] of features) sum += value * (weights.get(name) ?? 0)
  for (const word of wordFeatures(reading.text)) sum += weights.get(word) ?? 0
  const likelihood = 1 / (1 + Math.exp(-sum))
  return { likelihood, keeps: likelihood >= leastLikelihood, kind, signals: found.map(({ name }) => name) }
}

/** The signals of a sentence, and what they are worth by hand: what the weights are learned for. */
export function weighed(reading: Reading): { readonly found: readonly Signal[]; readonly features: ReadonlyMap<string, number> } {
  const found = signals.filter(({ holds }) => holds(reading))
  const score = found.reduce((sum, { weight }) => sum + weight, 0)
  const isEnough = score >= threshold && found.some(({ weight }) => weight >= telling)
  return {
    found,
    features: new Map([['SCORE', score], ['ENOUGH', isEnough ? 1 : 0], ...found.map(({ name }) => [`SIGNAL ${name}`, 1] as const)]),
  }
}
