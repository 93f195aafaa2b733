// The first few of many in some order, without keeping the many.

export interface FirstFew<T> {
  add(item: T): void
  /** In order. */
  items(): T[]
  /** How many were added in all. */
  count(): number
}

export function firstFew<T>(limit: number, compare: (left: T, right: T) => number): FirstFew<T> {
  let kept: T[] = []
  let count = 0
  const cut = () => {
    kept = kept.sort(compare).slice(0, limit)
  }
  return {
    add(item) {
      count++
      kept.push(item)
      // Sorting only now and then makes each item cost little.
      if (kept.length >= 2 * limit + 64) cut()
    },
    items() {
      cut()
      return kept
    },
    count: () => count,
  }
}
