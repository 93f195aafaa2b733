// Merges two streams into one text, line by line in the order of arrival; lines of stderr are marked at the beginning.

const stderrMark = '[stderr] '

const newline = 0x0a
/** An unfinished line is passed on in pieces of this size. */
const longest = 64 * 1024

/** The text as the programs wrote it. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/^\[stderr\] /gm, '')
}

export interface MergedOutput {
  take(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void
  /** Passes on unfinished lines. */
  end(): void
}

export function markedOutput(write: (chunk: Uint8Array) => void): MergedOutput {
  const mark = Buffer.from(stderrMark)
  const open: Record<'stdout' | 'stderr', Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }

  function hand(bytes: Buffer, stream: 'stdout' | 'stderr'): void {
    if (bytes.length > 0) write(stream === 'stdout' ? bytes : withMarks(bytes, mark))
  }

  return {
    take(chunk, stream) {
      const all =
        open[stream].length > 0 ? Buffer.concat([open[stream], chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const cut = all.length > longest && !all.includes(newline) ? all.length : all.lastIndexOf(newline) + 1
      hand(all.subarray(0, cut), stream)
      // Copied, because the memory of the chunk is reused.
      open[stream] = Buffer.from(all.subarray(cut))
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const) {
        const rest = open[stream]
        open[stream] = Buffer.alloc(0)
        hand(rest, stream)
      }
    },
  }
}

function withMarks(bytes: Buffer, mark: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(newline, from)
    const to = found < 0 ? bytes.length : found + 1
    parts.push(mark, bytes.subarray(from, to))
    from = to
  }
  return Buffer.concat(parts)
}
