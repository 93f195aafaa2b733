// Where marks are in a text. It is searched from its beginning to its end, so each search begins where the last one ended.

export interface Places {
  readonly text: string
  /** The first match from there on; the length of the text if there is none. The pattern needs the flag `g`. */
  next(pattern: RegExp, from: number): number
  /** The first run of exactly so many backticks from there on; the length of the text if there is none. */
  nextRun(length: number, from: number): number
}

export function placesIn(text: string): Places {
  const searches = new Map<RegExp, { readonly from: number; readonly found: number }>()
  let runs: ReadonlyMap<number, readonly number[]> | null = null
  const passed = new Map<number, number>()
  return {
    text,
    next(pattern, from) {
      const known = searches.get(pattern)
      if (known && known.from <= from && from <= known.found) return known.found
      pattern.lastIndex = from
      const found = pattern.exec(text)?.index ?? text.length
      searches.set(pattern, { from, found })
      return found
    },
    nextRun(length, from) {
      runs ??= runsIn(text)
      const places = runs.get(length) ?? []
      let at = passed.get(length) ?? 0
      if ((places[at - 1] ?? -1) >= from) at = 0
      while (at < places.length && (places[at] ?? 0) < from) at += 1
      passed.set(length, at)
      return places[at] ?? text.length
    },
  }
}

function runsIn(text: string): ReadonlyMap<number, readonly number[]> {
  const byLength = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = byLength.get(run.length) ?? []
    if (places.length === 0) byLength.set(run.length, places)
    places.push(index)
  }
  return byLength
}
