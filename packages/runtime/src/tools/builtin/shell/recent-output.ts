// The latest part of an output, addressed by how many bytes came before it.

const kept = 256 * 1024
/** What one reading hands out. */
const page = 32 * 1024

export interface OutputPage {
  readonly text: string
  /** Where the next reading begins. */
  readonly next: number
  /** Bytes between `since` and this text that are no longer at hand here; the spool's file has them. */
  readonly missed: number
}

export interface RecentOutput {
  add(chunk: Uint8Array): void
  readonly bytes: number
  read(since: number): OutputPage
}

export function recentOutput(): RecentOutput {
  let held = Buffer.alloc(0)
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    add(chunk) {
      bytes += chunk.length
      const part = chunk.length > kept ? chunk.subarray(chunk.length - kept) : chunk
      held = Buffer.concat([held, part])
      // Let it grow to twice its size, so that not every chunk moves all of it.
      if (held.length > 2 * kept) held = Buffer.from(held.subarray(held.length - kept))
    },
    read(since) {
      const first = bytes - held.length
      const from = Math.min(Math.max(since, first), bytes)
      const whole = held.subarray(from - first)
      const cut = whole.length > page ? page : whole.length
      const text = whole.subarray(0, whole.length > page ? endOfLetter(whole, cut) : cut)
      return { text: text.toString('utf8'), next: from + text.length, missed: Math.max(0, from - since) }
    },
  }
}

/** Steps back to the beginning of a letter, so that none is torn. */
function endOfLetter(bytes: Buffer, at: number): number {
  let end = at
  while (end > at - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return end
}
