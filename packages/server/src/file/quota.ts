// How much one account may keep in files.
import { type Refusal, refuse } from '../http/refusal.ts'

/** The refusal when `size` more bytes do not fit beside those already used. */
export function quotaRefusal(used: number, size: number, limit: number): Refusal | undefined {
  if (used + size <= limit) return undefined
  const detail = `the files of this account use ${used} of at most ${limit} bytes: delete some first`
  return refuse('payload_too_large', detail, { limits: [{ name: 'user_bytes', limit, actual: used + size }] })
}
