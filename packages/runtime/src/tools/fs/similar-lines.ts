// If a text is not found, finds the most similar lines, so that the next attempt can succeed.

interface NearLine {
  readonly line: number
  readonly text: string
}

export interface SimilarLines {
  readonly lines: readonly NearLine[]
  /** The line where the text begins if white space is ignored; null if it is not there either. */
  readonly differs_in_space_at: number | null
}

const mostLines = 20_000
const mostSought = 200
const mostCompared = 120

export function similarLines(text: string, wanted: string): SimilarLines {
  const lines = text.split('\n', mostLines)
  const sought = wanted.split('\n', mostSought).map(squeezed)
  while (sought.length > 1 && sought[0] === '') sought.shift()
  while (sought.length > 1 && sought.at(-1) === '') sought.pop()
  const plain = lines.map(squeezed)
  const start = plain.findIndex((_, at) => sought.every((line, index) => plain[at + index] === line))
  const reference = sought.reduce((longest, line) => (line.length > longest.length ? line : longest), '').slice(0, mostCompared)
  const pairs = pairsOf(reference)
  const scored = plain
    .map((line, index) => ({ index, score: line === '' ? 0 : likeness(pairs, pairsOf(line.slice(0, mostCompared))) }))
    .filter(({ score }) => score > 0.4)
    .sort((left, right) => right.score - left.score || left.index - right.index)
  return {
    lines: scored.slice(0, 3).map(({ index }) => ({ line: index + 1, text: (lines[index] ?? '').slice(0, 200) })),
    differs_in_space_at: sought.join('') === '' || start < 0 ? null : start + 1,
  }
}

function squeezed(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim()
}

function pairsOf(line: string): Set<string> {
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < line.length; at++) pairs.add(line.slice(at, at + 2))
  return pairs
}

/** The share of common letter pairs: 1 for equal lines. */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0
  let shared = 0
  for (const pair of left) if (right.has(pair)) shared++
  return (2 * shared) / (left.size + right.size)
}
