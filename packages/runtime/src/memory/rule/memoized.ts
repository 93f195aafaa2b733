// Results of pure functions of a text, kept for the next cycle over the same memories. Bounded; the oldest give way.

const most = 20_000

export function memoized<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined || results.has(text)) return known as Result
    const result = compute(text)
    if (results.size >= most) results.delete(results.keys().next().value as string)
    results.set(text, result)
    return result
  }
}
