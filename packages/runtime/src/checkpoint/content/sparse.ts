import { ftruncateSync, writeSync } from 'node:fs'

/** Writes long runs of zeros as holes. */
export function writeSparse(descriptor: number, parts: Iterable<Buffer>): void {
  const grain = 64 * 1024
  const zeros = Buffer.alloc(grain)
  let offset = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += grain) {
      const piece = part.subarray(at, at + grain)
      const hole = piece.length === grain && piece.equals(zeros)
      for (let done = 0; !hole && done < piece.length; ) done += writeSync(descriptor, piece, done, piece.length - done, offset + done)
      offset += piece.length
    }
  }
  ftruncateSync(descriptor, offset)
}
