// Which memories of a slot with one value give way to others. Pure.
import { end, isKeptAgainst, type Standing } from './standing.ts'

/** `standings` are of one slot that holds one value, in the order of their creation. */
export function contest(standings: readonly Standing[]): void {
  for (const [index, one] of standings.entries()) {
    const next = standings.find((other, place) => place > index && givesWay(one, other))
    if (next) end(one, next.moment, next.memory.id, 'replaced')
  }
  for (const kept of standings) {
    if (!kept.verdict?.isKept) continue
    const { until } = kept.verdict
    for (const other of standings) {
      const isKeptLater = other.verdict?.isKept === true && other.verdict.until >= until
      if (other.key !== kept.key && other.moment <= until && !isKeptLater) end(other, until, kept.memory.id, 'decided')
    }
  }
}

/** A memory gives way to a newer one of the same or a higher rank that states something else. */
function givesWay(one: Standing, newer: Standing): boolean {
  return newer.rank >= one.rank && newer.key !== one.key && !isKeptAgainst(one, newer.moment)
}
