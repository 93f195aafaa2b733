// How well counted words fit a text: BM25, with the constants of FTS5. Pure.

const [saturation, lengthShare] = [1.2, 0.75]

/** How rare something is that is in `found` of `total`. What is in most of them still counts a little. */
export function rarity(found: number, total: number): number {
  return Math.max(1e-6, Math.log((total - found + 0.5) / (found + 0.5)))
}

/** `count`: how often the word occurs. `relativeLength`: how long the text is, compared with the average. */
export function frequency(count: number, relativeLength: number): number {
  return (count * (saturation + 1)) / (count + saturation * (1 - lengthShare + lengthShare * relativeLength))
}
