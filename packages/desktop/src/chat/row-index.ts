// The rows of one thread by id: the position and, if measured, the height of each.
import type { ThreadPart } from '../store/thread.ts'
import { createRowHeights, type RowHeights } from './row-heights.ts'

export interface RowIndex {
  readonly heights: RowHeights
  /** Updates the rows to match the thread; rows that did not move cost nothing. */
  update(parts: readonly ThreadPart[]): void
  indexOf(id: string): number | undefined
  idAt(index: number): string | undefined
  /** Returns whether the height changed. */
  setHeight(id: string, height: number): boolean
}

/** A closed card is as high as its line. */
const guess: Record<ThreadPart['kind'], number> = {
  message: 110,
  text: 110,
  card: 46,
  line: 46,
  team: 46,
  queued: 80,
  fork: 32,
  policy: 46,
  suggestion: 46,
}

export function createRowIndex(): RowIndex {
  const heights = createRowHeights()
  const known = new Map<string, number>()
  const places = new Map<string, number>()
  const names: string[] = []
  let taken: readonly ThreadPart[] = []
  return {
    heights,
    update(parts) {
      if (parts === taken) return
      taken = parts
      let same = 0
      while (same < names.length && names[same] === parts[same]?.id) same += 1
      while (names.length > same) {
        places.delete(names.pop() ?? '')
        heights.pop()
      }
      for (let index = same; index < parts.length; index += 1) {
        const part = parts[index]
        if (!part) continue
        names.push(part.id)
        places.set(part.id, index)
        heights.push(known.get(part.id) ?? guess[part.kind])
      }
    },
    indexOf: (id) => places.get(id),
    idAt: (index) => names[index],
    setHeight(id, height) {
      if (known.get(id) === height) return false
      known.set(id, height)
      const index = places.get(id)
      if (index !== undefined) heights.set(index, height)
      return true
    },
  }
}
