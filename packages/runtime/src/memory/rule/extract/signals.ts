// All signals. The weights were set on one scripted month and on sentences written for this purpose, never on the month that measures them.
import { against } from './signal/against.ts'
import { decisions } from './signal/decisions.ts'
import { events } from './signal/events.ts'
import { facts } from './signal/facts.ts'
import { people } from './signal/people.ts'
import type { Signal } from './signal/signal.ts'
import { steps } from './signal/steps.ts'
import { wishes } from './signal/wishes.ts'

export const threshold = 3

export const signals: readonly Signal[] = [...wishes, ...decisions, ...facts, ...people, ...steps, ...events, ...against]
