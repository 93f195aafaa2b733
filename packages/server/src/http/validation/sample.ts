// A sample of a value that is enough to report its faults. Listing faults walks the whole value and costs far more than finding one:
// 5 MB of `1,1,1,…` blocked the process for seconds and used a gigabyte.

const enough = 5_000
const mostNames = 1_000
const deepest = 32

/**
 * The value with its lists cut after `enough` parts. A list that is too long for the contract stays too long, and items that
 * are kept are kept whole: cutting must not create faults.
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
      // The rest unchanged, up to a length that no list of the contract may have: they are not walked.
      if (kept.length > mostNames) break
      left -= 1
      kept.push(left > 0 ? cut(item, depth + 1) : shallow(item))
    }
    return kept
  }

  /** Of values that are not walked, only their own fields. */
  function shallow(part: unknown): unknown {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.slice(0, 1)
    return Object.fromEntries(Object.entries(part).slice(0, 50))
  }
}
