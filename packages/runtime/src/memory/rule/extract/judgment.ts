// Whether a sentence is worth keeping, and as which kind: the sum of its signals. Pure.
import { type MemoryKind, memoryKinds } from '@tandem/contract/memory'
import type { Reading } from './reading.ts'
import { signals, threshold } from './signals.ts'

export interface Judgment {
  readonly score: number
  readonly keeps: boolean
  readonly kind: MemoryKind
  /** The names of the signals that were found. */
  readonly signals: readonly string[]
}

/** Small signals alone, such as a day and a number, are not enough. */
const telling = 1.5

/** At equal weight, the more specific kind. */
const precedence: readonly MemoryKind[] = ['procedural', 'relationship', 'decision', 'preference', 'episodic', 'semantic']

export function judged(reading: Reading): Judgment {
  const found = signals.filter(({ holds }) => holds(reading))
  const score = found.reduce((sum, { weight }) => sum + weight, 0)
  const weightOf = (kind: MemoryKind) => found.filter((signal) => signal.kind === kind).reduce((sum, { weight }) => sum + weight, 0)
  const weights = new Map(memoryKinds.map((kind) => [kind, weightOf(kind)]))
  const best = Math.max(...weights.values())
  const kind = best <= 0 ? 'semantic' : (precedence.find((one) => weights.get(one) === best) ?? 'semantic')
  return { score, keeps: score >= threshold && found.some(({ weight }) => weight >= telling), kind, signals: found.map(({ name }) => name) }
}
