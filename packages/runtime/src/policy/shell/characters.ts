// Characters that make a command look like another one.

const hidden: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  [/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, 'a control character'],
  [/[\u2028\u2029]/, 'a line separator that is not a line break'],
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'a character that turns the direction of reading'],
  [
    // Format characters, what Unicode calls ignorable (fillers, variation selectors, tags), and what only looks like nothing.
    /\p{Cf}|\p{Default_Ignorable_Code_Point}|\u2800|[\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]/u,
    'an invisible character',
  ],
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/, 'a space that is not a space'],
  [/\p{Surrogate}/u, 'half a character'],
]

/** What is wrong with the text before any grammar looks at it, or null. */
export function misleading(text: string): string | null {
  return hidden.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
