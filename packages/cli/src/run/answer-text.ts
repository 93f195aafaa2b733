// The text of answers on the standard output. A stream that breaks is asked for again, and what was printed cannot be taken back:
// a program that reads the output gets finished answers only, and a terminal, which shows text as it arrives, gets only what is new.
import { plain } from '../terminal/plain.ts'

export interface AnswerText {
  /** A piece of the message `id` that begins at `offset`. Pieces may arrive twice. */
  arrived(id: string, offset: number, text: string): void
  completed(id: string): void
  /** The run stopped: an answer that is not finished stays so. */
  abandon(): void
}

interface AnswerOutput {
  /** Whether text is shown as it arrives. */
  readonly isLive: boolean
  /** Prints a part of an answer. */
  write(text: string): void
  /** Prints a line beside the answer. */
  note(text: string): void
}

export function openAnswerText({ isLive, write, note }: AnswerOutput): AnswerText {
  let id: string | null = null
  let text = ''
  /** What of the current answer is on the screen. */
  let printed = ''
  let missed = false

  function begin(next: string): void {
    id = next
    text = ''
    missed = false
    // `printed` stays: text of an attempt that broke off is still on the screen.
  }

  function show(): void {
    // A letter may arrive in two halves.
    const whole = /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
    if (printed.startsWith(whole)) return
    if (!whole.startsWith(printed)) {
      note('The response was interrupted. The model is answering again:')
      printed = ''
    }
    write(plain(whole.slice(printed.length)))
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
      if (!isLive) write(plain(text))
      else if (printed !== text) {
        // The answer is shorter than the attempt before it.
        note('The response was interrupted. The model answered again:')
        write(plain(text))
      }
      if (missed) note('Part of this response did not arrive here. Show all of it with `tandem command message_list`.')
      id = null
      printed = ''
      text = ''
    },
    abandon() {
      if (!isLive && text !== '') note(`An unfinished response: ${plain(text)}`)
      id = null
      printed = ''
      text = ''
    },
  }
}
