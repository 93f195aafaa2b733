/** Quotes a word for a POSIX shell, whatever it contains. */
export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_/.:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
