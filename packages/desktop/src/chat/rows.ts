// Which rows of a long list are rendered. Rows that were never rendered get the usual height of their kind.
import type { RowHeights } from './row-heights.ts'

export interface RowRange {
  readonly first: number
  /** Exclusive. */
  readonly end: number
  readonly above: number
  readonly below: number
}

/** Rendered beyond the edges, so that scrolling does not show blank space. */
const beyond = 300

export function rangeOf(heights: RowHeights, top: number, height: number): RowRange {
  const whole = heights.above(heights.length)
  if (heights.length === 0) return { first: 0, end: 0, above: 0, below: 0 }
  const first = heights.at(Math.max(0, Math.min(top, whole) - beyond))
  const end = heights.at(Math.max(0, top + height + beyond)) + 1
  const above = heights.above(first)
  return { first, end, above, below: whole - heights.above(end) }
}

/** The range at the end, without rendering the rows before it. */
export function endRange(heights: RowHeights, height: number): RowRange {
  return rangeOf(heights, Math.max(0, heights.above(heights.length) - height), height)
}
