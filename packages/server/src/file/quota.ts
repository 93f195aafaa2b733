// How many bytes of files one account may store.
import { type Refusal, refuse } from '../http/refusal.ts'

/** The refusal if `size` more bytes do not fit. */
export function quotaRefusal(used: number, size: number, limit: number): Refusal | undefined {
  if (used + size <= limit) return undefined
  const detail = `the files of this account use ${used} of at most ${limit} bytes: delete some first`
  return refuse('payload_too_large', detail, { limits: [{ name: 'user_bytes', limit, actual: used + size }] })
}
