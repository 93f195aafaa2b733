// All signals. The weights were set on one scripted month and on sentences written for this purpose, never on the month that measures them.
import type { SlicedWork } from '../../../scheduler/slices.ts'
import { readingOf } from './reading.ts'
import { against } from './signal/against.ts'
import { decisions } from './signal/decisions.ts'
import { events } from './signal/events.ts'
import { facts } from './signal/facts.ts'
import { grammar } from './signal/grammar.ts'
import { people } from './signal/people.ts'
import type { Signal } from './signal/signal.ts'
import { steps } from './signal/steps.ts'
import { wishes } from './signal/wishes.ts'

export const threshold = 3

export const signals: readonly Signal[] = [...wishes, ...decisions, ...facts, ...people, ...steps, ...events, ...against, ...grammar]

const prepared = new Set<string>()

/**
 * Before the first use, in slices. An expression is compiled once for texts of Latin letters and once for others, and each time again when it
 * is used for the second time.
 */
export function* compileSignals(texts: readonly string[]): SlicedWork<void> {
  const kinds = new Set(texts.map((text) => (/[^\0-\xff]/.test(text) ? '→' : '-')))
  for (const sample of kinds) {
    if (prepared.has(sample)) continue
    for (const text of [sample, sample]) {
      const reading = readingOf(text)
      for (const { holds } of signals) {
        holds(reading)
        yield
      }
    }
    prepared.add(sample)
  }
}
