// Makes untrusted text safe for a terminal: nothing in it can move the cursor, hide words or reverse them.
import { visibleInTerminal } from '@tandem/contract/text'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const sequences = /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[@-Z\\-_])/g
/** Control characters except tab and newline, direction marks, zero-width characters, and Unicode line separators. */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** Used to join characters of scripts and emoji. */
const joiners = '\u200c\u200d'

/** For reading: invisible characters are removed. */
export function stripControls(text: string): string {
  return text.replace(sequences, '').replace(unseen, (letter) => (joiners.includes(letter) ? letter : ''))
}

/** For approvals: invisible characters are written out, so that everything is shown. */
export function escapeControls(text: string): string {
  const numbered = (letter: string) => `\\u{${letter.codePointAt(0)?.toString(16)}}`
  return visibleInTerminal(text.replace(unseen, numbered), numbered)
}

/** On one line of at most `width` characters; an ellipsis marks the rest. */
export function singleLine(text: string, width: number): string {
  const flat = escapeControls(text.replace(/\s+/g, ' ')).trim()
  return flat.length <= width ? flat : `${flat.slice(0, Math.max(0, width - 1))}…`
}
