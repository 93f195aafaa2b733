// Selects lines from a stream of text. Only the selected lines are in memory, each up to a maximum length.

export const longestLine = 2_000
/** For all lines together; more would only fill the model's context. */
const mostCharacters = 100_000

export interface Line {
  readonly number: number
  readonly text: string
  /** How many characters were cut off. */
  readonly cut: number
}

export interface LineRange {
  feed(text: string): void
  /** No further input can change the result. */
  full(): boolean
  end(): { readonly lines: readonly Line[]; readonly seen: number; readonly stoppedEarly: boolean }
}

/** Lines from `offset` (the first is 1), or the last `-offset` lines; at most `limit`. */
export function lineRange(offset: number, limit: number): LineRange {
  const fromEnd = offset < 0
  const keep = fromEnd ? Math.min(-offset, limit) : limit
  const lines: Line[] = []
  let characters = 0
  let number = 1
  let head = ''
  let length = 0
  let lastIsReturn = false
  let stoppedEarly = false

  function wanted(): boolean {
    return fromEnd || (number >= offset && number < offset + limit && !stoppedEarly)
  }

  function add(part: string): void {
    if (part === '') return
    if (head.length < longestLine + 1 && wanted()) head += part.slice(0, longestLine + 1 - head.length)
    length += part.length
    lastIsReturn = part.endsWith('\r')
  }

  function finish(): void {
    if (wanted()) {
      const whole = lastIsReturn ? length - 1 : length
      const text = head.slice(0, Math.min(whole, longestLine))
      if (!fromEnd && lines.length > 0 && characters + text.length > mostCharacters) stoppedEarly = true
      else {
        lines.push({ number, text, cut: whole - text.length })
        characters += text.length
      }
      // The end counts, so the oldest lines are dropped.
      while (fromEnd && lines.length > 1 && (lines.length > keep || characters > mostCharacters)) {
        stoppedEarly ||= lines.length <= keep
        characters -= lines.shift()?.text.length ?? 0
      }
    }
    number++
    head = ''
    length = 0
    lastIsReturn = false
  }

  return {
    feed(text) {
      let from = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        add(text.slice(from, end))
        finish()
        from = end + 1
      }
      add(text.slice(from))
    },
    full: () => !fromEnd && (number >= offset + limit || stoppedEarly),
    end() {
      if (length > 0) finish()
      return { lines, seen: number - 1, stoppedEarly }
    },
  }
}
