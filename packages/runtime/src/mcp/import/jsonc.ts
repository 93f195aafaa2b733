// JSON with comments and trailing commas, as editors write it.

/** Replaces them by spaces, so that positions in error messages stay correct. */
export function plainJson(text: string): string {
  const letters = [...text.replace(/^\uFEFF/, ' ')]
  let isText = false
  /** The position of a comma that nothing has followed yet. */
  let comma = -1
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at]
    if (isText) {
      if (letter === '\\') at += 1
      else if (letter === '"') isText = false
      continue
    }
    if (letter === '/' && (letters[at + 1] === '/' || letters[at + 1] === '*')) {
      at = blank(letters, at)
      continue
    }
    if (letter === undefined || /\s/.test(letter)) continue
    if ((letter === '}' || letter === ']') && comma >= 0) letters[comma] = ' '
    comma = letter === ',' ? at : -1
    if (letter === '"') isText = true
  }
  return letters.join('')
}

/** Blanks the comment at a position, and returns where it ends. */
function blank(letters: string[], from: number): number {
  const end = endOfComment(letters, from)
  for (let at = from; at <= end && at < letters.length; at += 1) if (letters[at] !== '\n') letters[at] = ' '
  return end
}

/** The position of its last letter. */
function endOfComment(letters: readonly string[], from: number): number {
  if (letters[from + 1] === '/') {
    const line = letters.indexOf('\n', from)
    return line < 0 ? letters.length : line
  }
  for (let at = from + 3; at < letters.length; at += 1) if (letters[at] === '/' && letters[at - 1] === '*') return at
  return letters.length
}
