// Joins what stands beside each other. Pure.

/** `placeOf`: what an item is part of, and its number there. Items whose numbers follow each other are joined; the order of the first of each remains. */
export function joinedRuns<Item>(items: readonly Item[], placeOf: (item: Item) => readonly [string, number]): readonly (readonly Item[])[] {
  const byPlace = new Map(items.map((item) => [placeOf(item).join(' '), item]))
  const taken = new Set<Item>()
  return items.flatMap((item) => {
    if (taken.has(item)) return []
    const [whole, at] = placeOf(item)
    const run = [item]
    for (const step of [-1, 1]) {
      for (let next = byPlace.get(`${whole} ${at + step}`), far = step; next !== undefined; ) {
        run.push(next)
        far += step
        next = byPlace.get(`${whole} ${at + far}`)
      }
    }
    for (const one of run) taken.add(one)
    return [run]
  })
}
