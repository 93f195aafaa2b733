/** A word as a POSIX shell reads it back, whatever is in it. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_/.:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
