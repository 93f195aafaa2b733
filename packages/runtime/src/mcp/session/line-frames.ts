// Splits bytes of a pipe into lines. A line over the limit ends the reading: which response it would have been is unknown.

export interface LineFrames {
  /** The lines that are complete now. `overflow` is true if the limit was exceeded; everything after is ignored. */
  push(chunk: Uint8Array): { readonly lines: readonly string[]; readonly overflow: boolean }
  /** The rest without a line end, for the log of a server that only printed a prompt. */
  rest(): string
}

const newline = 10

export function lineFrames(cap: number): LineFrames {
  let parts: Uint8Array[] = []
  let held = 0
  let overflow = false

  function take(end: Uint8Array): string {
    const bytes = Buffer.concat([...parts, end])
    parts = []
    held = 0
    return bytes.toString('utf8').replace(/\r$/, '')
  }

  return {
    push(chunk) {
      const lines: string[] = []
      let from = 0
      for (let at = chunk.indexOf(newline); at !== -1 && !overflow; at = chunk.indexOf(newline, from)) {
        if (held + at - from > cap) overflow = true
        else lines.push(take(chunk.subarray(from, at)))
        from = at + 1
      }
      const tail = chunk.subarray(from)
      if (held + tail.length > cap) overflow = true
      if (overflow) {
        parts = []
        held = 0
      } else if (tail.length > 0) {
        // The runner may reuse its buffer.
        parts.push(Uint8Array.from(tail))
        held += tail.length
      }
      return { lines, overflow }
    },
    rest: () => Buffer.concat(parts).toString('utf8'),
  }
}
