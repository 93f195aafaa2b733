// Joins what is alike: the two groups with the highest average score are joined until no average reaches the threshold. Pure.

/** Groups of indices, each sorted, in the order of their first ones. `score` is symmetric; minus infinity keeps two apart for good. */
export function averageLinkage(
  count: number,
  score: (left: number, right: number) => number,
  least: number,
): readonly (readonly number[])[] {
  const groups: (number[] | null)[] = Array.from({ length: count }, (_, index) => [index])
  const scores = new Float64Array(count * count)
  for (let left = 0; left < count; left += 1)
    for (let right = left + 1; right < count; right += 1) {
      const one = score(left, right)
      scores[left * count + right] = one
      scores[right * count + left] = one
    }
  const at = (left: number, right: number) => scores[left * count + right] ?? Number.NEGATIVE_INFINITY
  const nearest = groups.map((_, index) => nearestOf(index))

  /** Of those after it: each pair is looked at once. */
  function nearestOf(index: number): number {
    let best = -1
    for (let other = index + 1; other < count; other += 1)
      if (groups[other] && (best < 0 || at(index, other) > at(index, best))) best = other
    return best
  }

  for (;;) {
    let left = -1
    for (const [index, other] of nearest.entries()) {
      if (!groups[index] || other < 0 || !(at(index, other) >= least)) continue
      if (left < 0 || at(index, other) > at(left, nearest[left] ?? 0)) left = index
    }
    const right = nearest[left] ?? -1
    const [into, from] = [groups[left], groups[right]]
    if (!into || !from) break
    for (let other = 0; other < count; other += 1) {
      if (other === left || !groups[other]) continue
      const average = (into.length * at(left, other) + from.length * at(right, other)) / (into.length + from.length)
      scores[left * count + other] = average
      scores[other * count + left] = average
    }
    into.push(...from)
    groups[right] = null
    for (const [index, other] of nearest.entries()) {
      if (!groups[index]) continue
      // What pointed to one of both has to be looked for again; for others, the joined one may be nearer now.
      if (index === left || other === left || other === right) nearest[index] = nearestOf(index)
      else if (index < left && (other < 0 || at(index, left) > at(index, other))) nearest[index] = left
    }
  }
  return groups.flatMap((group) => (group ? [group.toSorted((a, b) => a - b)] : []))
}
