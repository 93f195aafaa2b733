import { newId } from '../http/id.ts'

/** UUIDv7s of one time in the order of the batch: the 12 bits after the time count up (RFC 9562, a counter in rand_a). */
export function idInBatch(now: number, at: number): string {
  const id = newId(now)
  return `${id.slice(0, 15)}${at.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** Every id created at `now` or later is larger or equal; every earlier one is smaller. */
export function firstIdOf(now: number): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
