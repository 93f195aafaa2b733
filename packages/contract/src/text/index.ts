// Makes text from models, files and programs readable: characters that hide or reorder text are shown by their number.

export { grouped } from './grouped.ts'
export { sentence } from './sentence.ts'

/**
 * Control characters except tab and line ends, format characters, and everything else that is invisible: fillers, variation
 * selectors, the blank Braille pattern, tags.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}|\p{Default_Ignorable_Code_Point}|\u2800|[\ufff0-\ufff8]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu

/** Joiners and the emoji selector belong to the text inside an emoji, and between letters of scripts that join or stack. */
const joining = 'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar'
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const writing: Readonly<Record<string, readonly { readonly before: RegExp; readonly after: RegExp }[]>> = {
  '\u200c': [{ before: new RegExp(`[${joining}]$`, 'u'), after: new RegExp(`^[${joining}]`, 'u') }],
  '\u200d': [
    { before: new RegExp(`[${joining}]$`, 'u'), after: new RegExp(`^[${joining}]`, 'u') },
    { before: /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?$/u, after: /^\p{Extended_Pictographic}/u },
  ],
  '\ufe0f': [{ before: /\p{Extended_Pictographic}$/u, after: /^/ }],
}
/** The longest character before a joiner: an emoji and its skin tone. */
const longest = 4

/** Nothing is left out: texts that differ look different. */
export function visibleText(text: string): string {
  return text.replace(hidden, (letter: string, at: number) => (isWriting(text, letter, at) ? letter : numberOf(letter)))
}

/** The same for a terminal or an approval: joiners and selectors are shown as well. */
export function visibleInTerminal(text: string, show: (letter: string) => string = numberOf): string {
  return text.replace(hidden, (letter) => show(letter))
}

function isWriting(text: string, letter: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - longest), at)
  const after = text.slice(at + 1, at + 3)
  return (writing[letter] ?? []).some((one) => one.before.test(before) && one.after.test(after))
}

function numberOf(letter: string): string {
  return `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}
