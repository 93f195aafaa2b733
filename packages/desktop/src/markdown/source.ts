// The lines that are parsed together: a text, or the content of an item, a quote or a footnote.

export interface Source {
  readonly lines: readonly string[]
  readonly depth: number
  /** Whether no more lines will follow; a text that is streaming in is incomplete. */
  readonly isComplete: boolean
  /** The first empty line from there on; the number of lines if there is none. */
  nextBlank(from: number): number
  /** The first line from there on that contains the mark; the number of lines if there is none. */
  nextWith(mark: string, from: number): number
}

export function sourceOf(lines: readonly string[], depth: number, isComplete: boolean): Source {
  const nextBlank = nextLines(lines, isBlank)
  const byMark = new Map<string, (from: number) => number>()
  return {
    ...{ lines, depth, isComplete, nextBlank },
    nextWith(mark, from) {
      const known = byMark.get(mark)
      const next = known ?? nextLines(lines, (line) => line.includes(mark))
      if (!known) byMark.set(mark, next)
      return next(from)
    },
  }
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}

/** All answers are found at once, when the first one is needed: a search for each line would read some texts as often as they have lines. */
function nextLines(lines: readonly string[], matches: (line: string) => boolean): (from: number) => number {
  let found: Uint32Array | null = null
  return (from) => {
    if (!found) {
      found = new Uint32Array(lines.length)
      let next = lines.length
      for (let at = lines.length - 1; at >= 0; at -= 1) {
        if (matches(lines[at] ?? '')) next = at
        found[at] = next
      }
    }
    return found[from] ?? lines.length
  }
}
