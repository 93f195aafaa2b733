// The first few of many items in some order, without storing all of them.

export interface TopItems<T> {
  add(item: T): void
  /** Sorted. */
  items(): T[]
  /** How many were added in total. */
  count(): number
}

export function topItems<T>(limit: number, compare: (left: T, right: T) => number): TopItems<T> {
  let kept: T[] = []
  let count = 0
  const cut = () => {
    kept = kept.sort(compare).slice(0, limit)
  }
  return {
    add(item) {
      count++
      kept.push(item)
      // Sorting only occasionally makes each item cheap.
      if (kept.length >= 2 * limit + 64) cut()
    },
    items() {
      cut()
      return kept
    },
    count: () => count,
  }
}
