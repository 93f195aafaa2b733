/** A path, an address or the name of a tool keeps its first letter. */
const plainWord = /^\p{Ll}+(?=[\s,;:.!?’']|$)(?![.:]\S)/u
const ended = /[.!?…]["”’)]?$/u

/** A message as a sentence, so that another sentence can follow. */
export function sentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const begun = trimmed.replace(plainWord, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return ended.test(begun) ? begun : `${begun}.`
}
