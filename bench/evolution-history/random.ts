export interface Random {
  next(): number
  int(least: number, most: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
  shuffle<Item>(items: readonly Item[]): Item[]
  /** Draws each item once before any is drawn again. */
  deck<Item>(items: readonly Item[]): () => Item
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[int(0, items.length - 1)]
    if (item === undefined) throw new Error('Nothing to pick from')
    return item
  }
  const shuffle = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, order: next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item)
  const deck = <Item>(items: readonly Item[]) => {
    let rest: Item[] = []
    return () => {
      if (rest.length === 0) rest = shuffle(items)
      const item = rest.pop()
      if (item === undefined) throw new Error('The deck is empty')
      return item
    }
  }
  return { next, int, chance: (share) => next() < share, pick, shuffle, deck }
}
