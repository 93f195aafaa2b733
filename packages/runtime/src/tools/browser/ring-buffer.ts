// A ring buffer of numbered entries, read page by page.

interface RingPage<Entry> {
  readonly items: readonly (Entry & { readonly index: number })[]
  /** Pass it as `after` to continue; null if there are no more. */
  readonly next: number | null
  readonly total: number
  /** How many of the oldest entries were dropped. */
  readonly dropped: number
}

export interface RingBuffer<Entry extends object> {
  add(entry: Entry): Entry
  /** The entries after the given number; without one, the newest. */
  page(options: { readonly after?: number; readonly limit: number; readonly keep?: (entry: Entry) => boolean }): RingPage<Entry>
}

export function openRingBuffer<Entry extends object>(size: number): RingBuffer<Entry> {
  const entries: (Entry & { readonly index: number })[] = []
  let total = 0
  return {
    add(entry) {
      const kept = Object.assign(entry, { index: ++total })
      entries.push(kept)
      // Dropping in batches keeps adding cheap.
      if (entries.length >= size * 2) entries.splice(0, entries.length - size)
      return kept
    },
    page({ after, limit, keep = () => true }) {
      const held = entries.slice(-size)
      const wanted = held.filter((entry) => entry.index > (after ?? 0) && keep(entry))
      const items = after === undefined ? wanted.slice(-limit) : wanted.slice(0, limit)
      const last = items.at(-1)?.index
      const more = last !== undefined && wanted.some(({ index }) => index > last)
      return { items, next: more && last !== undefined ? last : null, total, dropped: total - held.length }
    },
  }
}
