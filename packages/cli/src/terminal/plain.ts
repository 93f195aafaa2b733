// Text that someone else wrote, made fit for a terminal: nothing in it can move the cursor, hide words or turn them round.
import { visibleEverywhere } from '@tandem/contract/text'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these letters are what is looked for
const sequences = /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[@-Z\\-_])/g
/** Control letters but tab and newline, marks of direction, letters without width, and line ends that are none. */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** Scripts and emoji are joined by these. */
const joiners = '\u200c\u200d'

/** For reading: what can't be seen is left out. */
export function plain(text: string): string {
  return text.replace(sequences, '').replace(unseen, (letter) => (joiners.includes(letter) ? letter : ''))
}

/** For deciding: what can't be seen is written out, so that all of it is shown. */
export function visible(text: string): string {
  const numbered = (letter: string) => `\\u{${letter.codePointAt(0)?.toString(16)}}`
  return visibleEverywhere(text.replace(unseen, numbered), numbered)
}

/** On one line, and no longer than `width`; an ellipsis says that there is more. */
export function line(text: string, width: number): string {
  const flat = visible(text.replace(/\s+/g, ' ')).trim()
  return flat.length <= width ? flat : `${flat.slice(0, Math.max(0, width - 1))}…`
}
