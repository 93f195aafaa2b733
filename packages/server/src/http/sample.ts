// Enough of a value to say what is wrong with it. Listing faults walks the whole value and costs far more than finding that there is one:
// 5 MB of `1,1,1,…` held the process for seconds and a gigabyte.

const enough = 5_000
const deepest = 32

/** The value with its lists and objects cut short once `enough` parts were kept. A list that is too long for the contract stays too long. */
export function sample(value: unknown): unknown {
  let left = enough
  return cut(value, 0)

  function cut(part: unknown, depth: number): unknown {
    if (typeof part !== 'object' || part === null || depth > deepest) return part
    if (Array.isArray(part)) return keep(part).map((item) => cut(item, depth + 1))
    return Object.fromEntries(keep(Object.entries(part)).map(([name, item]) => [name, cut(item, depth + 1)]))
  }

  function keep<T>(parts: readonly T[]): readonly T[] {
    const kept = parts.slice(0, left)
    left -= kept.length
    return kept
  }
}
