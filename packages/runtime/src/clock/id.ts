// UUIDv7: sortable by time of creation, and ordered within one process even if the wall clock is set back.
import { randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

export type NewId = () => string
/** Fills the buffer with unpredictable bytes. */
export type FillRandom = (bytes: Buffer) => void

const poolSize = 4_096
const sequenceSteps = 0x1000

export function idMaker(clock: Clock, fill: FillRandom = randomFillSync): NewId {
  const pool = Buffer.alloc(poolSize)
  let used = poolSize
  let last = 0
  let sequence = 0

  return () => {
    if (used + 10 > poolSize) {
      fill(pool)
      used = 0
    }
    const now = clock.now()
    if (now > last) {
      last = now
      sequence = pool.readUInt16BE(used) & 0x7ff
    } else if (++sequence === sequenceSteps) {
      // The counter of this millisecond is exhausted: use the next one.
      last += 1
      sequence = 0
    }
    const time = last.toString(16).padStart(12, '0')
    const counter = sequence.toString(16).padStart(3, '0')
    const tail = pool.toString('hex', used + 2, used + 10)
    used += 10
    const variant = ((Number.parseInt(tail.slice(0, 1), 16) & 0x3) | 0x8).toString(16)
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`
  }
}
