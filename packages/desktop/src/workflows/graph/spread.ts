export interface SpreadItem {
  readonly width: number
  /** Where its center should be. */
  readonly wish: number
  /** How much its wish counts. */
  readonly weight: number
}

/** The centers of items in a row, in this order and `gap` apart, as near to their wishes as possible (least squares). */
export function spread(items: readonly SpreadItem[], gap: number): readonly number[] {
  // Without the room that the items before it need, each item may be anywhere that is not left of the one before it.
  const offsets: number[] = []
  for (const [at, { width }] of items.entries()) {
    const before = items[at - 1]
    offsets.push(before ? (offsets[at - 1] ?? 0) + before.width / 2 + gap + width / 2 : 0)
  }
  const groups: { wish: number; weight: number; size: number }[] = []
  for (const [at, { wish, weight }] of items.entries()) {
    let group = { wish: wish - (offsets[at] ?? 0), weight, size: 1 }
    for (let before = groups.at(-1); before && before.wish >= group.wish; before = groups.at(-1)) {
      groups.pop()
      const sum = before.weight + group.weight
      const mean = (before.wish * before.weight + group.wish * group.weight) / sum
      group = { wish: mean, weight: sum, size: before.size + group.size }
    }
    groups.push(group)
  }
  return groups.flatMap(({ wish, size }) => Array.from({ length: size }, () => wish)).map((start, at) => start + (offsets[at] ?? 0))
}
