// The latest part of an output, addressed by its byte position.

import type { OutputPage } from '@tandem/contract/tool/output'

const kept = 256 * 1024
const small = 16 * 1024
/** The size of one read. */
const page = 32 * 1024

export interface RecentOutput {
  add(chunk: Uint8Array): void
  readonly bytes: number
  read(since: number): OutputPage
}

export function recentOutput(): RecentOutput {
  /** Trimmed by whole chunks, so that a lot of output is not copied repeatedly; small chunks are merged. */
  const chunks: Uint8Array[] = []
  let held = 0
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    add(chunk) {
      bytes += chunk.length
      // Copied, because the memory of the chunk is reused.
      const part = Buffer.from(chunk.length > kept ? chunk.subarray(chunk.length - kept) : chunk)
      const last = chunks.at(-1)
      if (last && last.length + part.length <= small) chunks[chunks.length - 1] = Buffer.concat([last, part])
      else chunks.push(part)
      held += part.length
      for (let [oldest] = chunks; oldest && held - oldest.length >= kept; [oldest] = chunks) {
        chunks.shift()
        held -= oldest.length
      }
    },
    read(since) {
      const first = bytes - held
      const from = Math.min(Math.max(since, first), bytes)
      const whole = Buffer.concat(chunks).subarray(from - first)
      const cut = whole.length > page ? page : whole.length
      const text = whole.subarray(0, whole.length > page ? endOfLetter(whole, cut) : cut)
      return { text: text.toString('utf8'), next: from + text.length, missed: Math.max(0, from - since) }
    },
  }
}

/** Moves back to the beginning of a character, so that none is split. */
function endOfLetter(bytes: Buffer, at: number): number {
  let end = at
  while (end > at - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return end
}
