// Enough of a value to say what is wrong with it. Listing faults walks the whole value and costs far more than finding that there is one:
// 5 MB of `1,1,1,…` held the process for seconds and a gigabyte.

const enough = 5_000
const mostNames = 1_000
const deepest = 32

/**
 * The value with its lists cut short once `enough` parts were kept. A list that is too long for the contract stays too long, and what is
 * kept of it is kept whole: a fault that only the cutting made would be a lie.
 */
export function sample(value: unknown): unknown {
  let left = enough
  return cut(value, 0)

  function cut(part: unknown, depth: number): unknown {
    if (typeof part !== 'object' || part === null || depth > deepest) return part
    if (Array.isArray(part)) return cutList(part, depth)
    const fields = Object.entries(part).slice(0, mostNames)
    left -= fields.length
    return Object.fromEntries(fields.map(([name, item]) => [name, cut(item, depth + 1)]))
  }

  function cutList(list: readonly unknown[], depth: number): unknown[] {
    const kept: unknown[] = []
    for (const item of list) {
      // The rest as they are, up to a length that no list of the contract may have: they are not looked into.
      if (kept.length > mostNames) break
      left -= 1
      kept.push(left > 0 ? cut(item, depth + 1) : shallow(item))
    }
    return kept
  }

  /** Of what is not looked into, only its own fields. */
  function shallow(part: unknown): unknown {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.slice(0, 1)
    return Object.fromEntries(Object.entries(part).slice(0, 50))
  }
}
