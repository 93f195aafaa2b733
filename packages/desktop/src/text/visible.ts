// Text that others wrote, made so that it looks like what it is: what turns or hides text is shown by its number.

/** Controls but tab and line ends; then what Unicode calls format characters, and what only looks like nothing. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}|\u034f|[\u115f\u1160]|[\u17b4\u17b5]|[\u180b-\u180f]|[\u2060-\u206f]|\u3164|\uffa0|[\ufff0-\ufff8]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu

/** A joiner is part of the writing inside an emoji, and between letters of scripts that join or stack. */
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
}
/** The longest sign before a joiner: a picture and its colour of skin. */
const longest = 4

export function visibleText(text: string): string {
  return text.replace(hidden, (letter: string, at: number) => (isWriting(text, letter, at) ? letter : numberOf(letter)))
}

function isWriting(text: string, letter: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - longest), at)
  const after = text.slice(at + 1, at + 3)
  return (writing[letter] ?? []).some((one) => one.before.test(before) && one.after.test(after))
}

function numberOf(letter: string): string {
  return `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}
