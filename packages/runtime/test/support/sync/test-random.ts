// Seeded random numbers.

interface Choice {
  /** In [0, 1). */
  next(): number
  below(limit: number): number
  chance(of: number): boolean
  of<Item>(items: readonly Item[]): Item
}

/** mulberry32 */
export function seededRandom(seed: number): Choice {
  let state = (seed * 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, chance: (of) => next() < of, of: (items) => items[below(items.length)] as never }
}
