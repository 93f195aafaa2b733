// Characters that make a command look like another one.

const hidden: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this finds control characters.
  [/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, 'a control character'],
  [/[\u2028\u2029]/, 'a line separator that is not a line break'],
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'a character that changes the text direction'],
  [
    // Format characters, what Unicode calls ignorable (fillers, variation selectors, tags), and characters that look blank.
    /\p{Cf}|\p{Default_Ignorable_Code_Point}|\u2800|[\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]/u,
    'an invisible character',
  ],
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/, 'a space character other than a normal space'],
  [/\p{Surrogate}/u, 'an unpaired surrogate'],
]

/** The first misleading character in the text, checked before parsing; null if there is none. */
export function misleadingCharacter(text: string): string | null {
  return hidden.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
