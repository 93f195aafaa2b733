// Results of pure functions of a text, kept for the next cycle over the same memories. Bounded.

/** In each of two generations. */
const usualMost = 20_000

/**
 * A cycle asks for the same texts in the same order again. If each new text took the place of the oldest one, a few texts more than there is
 * room for would mean that none is known when it is asked for again. Instead, what was not asked for during a whole generation is forgotten.
 */
export function memoized<Result>(compute: (text: string) => Result, most = usualMost): (text: string) => Result {
  let [recent, earlier] = [new Map<string, Result>(), new Map<string, Result>()]
  return (text) => {
    if (recent.has(text)) return recent.get(text) as Result
    const result = earlier.has(text) ? (earlier.get(text) as Result) : compute(text)
    if (recent.size >= most) [recent, earlier] = [new Map(), recent]
    recent.set(text, result)
    return result
  }
}
