// The text of answers on standard output. A stream that breaks is requested again, and what was printed cannot be undone:
// a program that reads the output gets only finished answers, and a terminal, which shows text as it arrives, gets only what is new.
import { stripControls } from '../terminal/terminal-text.ts'

export interface AnswerText {
  /** A piece of the message `id` that begins at `offset`. Pieces may arrive twice. */
  arrived(id: string, offset: number, text: string): void
  completed(id: string): void
  /** The run stopped: an unfinished answer stays unfinished. */
  abandon(): void
}

interface AnswerOutput {
  /** Whether text is shown as it arrives. */
  readonly isLive: boolean
  /** Prints a part of an answer. */
  write(text: string): void
  /** Prints a line next to the answer. */
  note(text: string): void
}

export function openAnswerText({ isLive, write, note }: AnswerOutput): AnswerText {
  let id: string | null = null
  let text = ''
  /** The part of the current answer that is on the screen. */
  let printed = ''
  let missed = false

  function begin(next: string): void {
    id = next
    text = ''
    missed = false
    // `printed` is kept: text of an interrupted attempt is still on the screen.
  }

  function show(): void {
    // A character may arrive in two halves.
    const whole = /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
    if (printed.startsWith(whole)) return
    if (!whole.startsWith(printed)) {
      note('The response was interrupted. The model is answering again:')
      printed = ''
    }
    write(stripControls(whole.slice(printed.length)))
    printed = whole
  }

  return {
    arrived(message, offset, piece) {
      if (message !== id) begin(message)
      if (offset > text.length) missed = true
      text += piece.slice(Math.max(0, text.length - offset))
      if (isLive) show()
    },
    completed(message) {
      if (message !== id) return
      if (!isLive) write(stripControls(text))
      else if (printed !== text) {
        // The answer is shorter than the previous attempt.
        note('The response was interrupted. The model answered again:')
        write(stripControls(text))
      }
      if (missed) note('Part of this response did not arrive here. Show all of it with `tandem command message_list`.')
      id = null
      printed = ''
      text = ''
    },
    abandon() {
      if (!isLive && text !== '') note(`An unfinished response: ${stripControls(text)}`)
      id = null
      printed = ''
      text = ''
    },
  }
}
