// What the weights of `weights.ts` are for: the signals of a sentence, and its usual words, alone and in pairs. Pure.

/** Words and pairs of words, numbers as "#", what it begins with as "^". Once each. */
export function wordFeatures(sentence: string): ReadonlySet<string> {
  const words = (
    sentence
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-z']+|\d+|[?!:,]/g) ?? []
  ).map((word) => (/^\d/.test(word) ? '#' : word))
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  return new Set([`^${words[0] ?? ''}`, `^${words.slice(0, 2).join(' ')}`, ...words, ...pairs])
}
