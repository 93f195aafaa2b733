// Values that match the schema but cannot be stored. Each has its pointer, like a schema error.
import { type FieldError, fieldName } from '@tandem/contract/validation'
import { type Refusal, refuse } from '../refusal.ts'

type Check = (value: string) => string | undefined

/** PostgreSQL's text has no U+0000. */
export const text: Check = (value) => (value.includes('\0') ? 'must not contain the character U+0000' : undefined)

/** 30 February matches the pattern but does not exist. */
export const timestamp: Check = (value) => {
  const date = new Date(value)
  const exists = !Number.isNaN(date.getTime()) && date.toISOString() === value
  return exists ? undefined : 'must be a valid UTC timestamp'
}

/** A time that can be stored: years below 100 change on the way to PostgreSQL and back. */
export const instant: Check = (value) => (value >= '0100' ? timestamp(value) : 'must be a valid UTC timestamp')

export const json: Check = (value) => {
  try {
    JSON.parse(value)
    return undefined
  } catch {
    return 'must be valid JSON'
  }
}

/** The fault of a value, if any; absent values have none. */
export function faultOf(check: Check, pointer: string, value: string | undefined): FieldError[] {
  const message = value === undefined ? undefined : check(value)
  return message === undefined ? [] : [{ pointer, message }]
}

export function invalid(faults: readonly FieldError[]): Refusal {
  const [first] = faults
  return refuse('invalid_request', first ? sentenceOf(first) : 'the request is not valid', { errors: faults.slice(0, 100) })
}

const parts: Readonly<Record<string, string>> = { params: 'path parameter', query: 'query parameter', headers: 'header' }

/** The field with its name and where it was sent. No body has a field with the name of another part (`validate.test.ts`). */
function sentenceOf({ pointer, message }: FieldError): string {
  const part = parts[pointer.split('/')[1] ?? '']
  if (pointer === '') return `the body ${message}`
  return `${part ? `${part} ${fieldName(pointer.slice(pointer.indexOf('/', 1)))}` : fieldName(pointer)} ${message}`
}

/** Throws if there is a fault. */
export function refuseFaults(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw invalid(faults)
}
