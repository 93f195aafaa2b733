// Characters that make a command look like another one.

const hidden: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  [/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, 'a control character'],
  [/[\u2028\u2029]/, 'a line separator that is not a line break'],
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'a character that turns the direction of reading'],
  [
    // \p{Cf} is what Unicode itself calls format characters; the rest only look like nothing.
    /\p{Cf}|\u034f|[\u115f\u1160]|[\u17b4\u17b5]|[\u180b-\u180f]|[\u2060-\u206f]|\u3164|\uffa0|[\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]/u,
    'an invisible character',
  ],
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/, 'a space that is not a space'],
  [/\p{Surrogate}/u, 'half a character'],
]

/** What is wrong with the text before any grammar looks at it, or null. */
export function misleading(text: string): string | null {
  return hidden.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
