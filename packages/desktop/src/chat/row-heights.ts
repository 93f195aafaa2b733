// The height of each row of a long list; sums and positions are found without walking the list.

export interface RowHeights {
  readonly length: number
  /** The sum of all rows before this one. */
  above(index: number): number
  /** The row at this position; the last one for a position past the end. */
  at(place: number): number
  set(index: number, height: number): void
  push(height: number): void
  pop(): void
}

/** A Fenwick tree: each entry is the sum of as many rows as its lowest set bit. */
export function createRowHeights(first: readonly number[] = []): RowHeights {
  const rows: number[] = []
  const sums: number[] = [0]

  function push(height: number): void {
    rows.push(height)
    const place = rows.length
    let sum = height
    for (let step = 1; step < lowestBit(place); step *= 2) sum += sums[place - step] ?? 0
    sums.push(sum)
  }

  for (const height of first) push(height)
  return {
    get length() {
      return rows.length
    },
    push,
    pop() {
      rows.pop()
      if (sums.length > 1) sums.pop()
    },
    set(index, height) {
      const more = height - (rows[index] ?? 0)
      rows[index] = height
      for (let place = index + 1; place < sums.length; place += lowestBit(place)) sums[place] = (sums[place] ?? 0) + more
    },
    above(index) {
      let sum = 0
      for (let place = Math.min(index, rows.length); place > 0; place -= lowestBit(place)) sum += sums[place] ?? 0
      return sum
    },
    at(place) {
      let index = 0
      let left = place
      for (let step = 2 ** Math.floor(Math.log2(Math.max(1, rows.length))); step >= 1; step /= 2) {
        const sum = sums[index + step]
        if (sum === undefined || sum > left) continue
        index += step
        left -= sum
      }
      return Math.max(0, Math.min(index, rows.length - 1))
    },
  }
}

function lowestBit(number: number): number {
  return number & -number
}
