// How well a path fits the few letters a person typed. Pure.

/** Null when the letters do not all occur in their order. More is better: whole words, the file's own name, and beginnings count. */
export function fit(path: string, typed: string): number | null {
  const text = path.toLowerCase()
  const letters = typed.toLowerCase().replaceAll(/\s+/g, '')
  if (letters === '') return -path.length
  const name = text.lastIndexOf('/') + 1
  const whole = text.lastIndexOf(letters)
  const near = whole >= 0 ? 1_000 + (whole >= name ? 500 : 0) + (whole === name ? 500 : 0) : 0
  const spread = scattered(text, letters)
  return spread === null ? null : near + spread - path.length
}

/** Letters at the beginning of a word, and next to the one before, count more. */
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
