// How well a path matches the typed letters. Pure.

/** Null if the letters do not all occur in order. Higher is better: whole words, the file name and beginnings of words count more. */
export function fuzzyScore(path: string, typed: string): number | null {
  const text = path.toLowerCase()
  const letters = typed.toLowerCase().replaceAll(/\s+/g, '')
  if (letters === '') return -path.length
  const name = text.lastIndexOf('/') + 1
  const whole = text.lastIndexOf(letters)
  const near = whole >= 0 ? 1_000 + (whole >= name ? 500 : 0) + (whole === name ? 500 : 0) : 0
  const spread = scattered(text, letters)
  return spread === null ? null : near + spread - path.length
}

/** Letters at the beginning of a word, and adjacent letters, count more. */
function scattered(text: string, letters: string): number | null {
  let score = 0
  let last = -1
  for (const letter of letters) {
    const at = text.indexOf(letter, last + 1)
    if (at === -1) return null
    if (at === last + 1) score += 8
    if (at === 0 || /[/._\- ]/.test(text[at - 1] ?? '')) score += 12
    last = at
  }
  return score
}
