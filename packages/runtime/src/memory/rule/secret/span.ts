/** A part of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The first group of each match; the pattern has the flags `d` and `g`. */
export function firstGroups(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0]
    return end > start ? [{ start, end }] : []
  })
}

/** "Ctrl+Shift+F5" looks like a password. */
export const keyboardShortcut = /^(?:ctrl|cmd|alt|shift|option|super|meta|fn)\+/i
