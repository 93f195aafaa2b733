// Values whose shape is right and which can still not be kept. Each fault has its pointer, as a fault of shape has.
import { type Refusal, refuse } from '../refusal.ts'

export interface Fault {
  readonly pointer: string
  readonly message: string
}

type Check = (value: string) => string | undefined

/** PostgreSQL's text has no U+0000. */
export const text: Check = (value) => (value.includes('\0') ? 'must not contain the character U+0000' : undefined)

/** Right by its pattern, 30 February is still no day. */
export const moment: Check = (value) => {
  const date = new Date(value)
  const exists = !Number.isNaN(date.getTime()) && date.toISOString() === value
  return exists ? undefined : 'must be a moment that exists'
}

/** A moment that can be stored: years below 100 are not the same on the way to PostgreSQL and back. */
export const instant: Check = (value) => (value >= '0100' ? moment(value) : 'must be a moment that exists')

export const json: Check = (value) => {
  try {
    JSON.parse(value)
    return undefined
  } catch {
    return 'must be JSON text'
  }
}

/** The fault of one value, if it has one; what is absent has none. */
export function faultOf(check: Check, pointer: string, value: string | undefined): Fault[] {
  const message = value === undefined ? undefined : check(value)
  return message === undefined ? [] : [{ pointer, message }]
}

export function invalid(faults: readonly Fault[]): Refusal {
  const [first] = faults
  return refuse('invalid_request', first ? `${first.pointer} ${first.message}` : 'the request is not valid', {
    errors: faults.slice(0, 100),
  })
}

/** Throws if there is a fault. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalid(faults)
}
