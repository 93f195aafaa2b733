// Which rows of a long list are drawn. Rows that were never drawn are taken to be as high as rows of their kind usually are.
import type { Heights } from './heights.ts'

export interface Range {
  readonly first: number
  /** One past the last. */
  readonly end: number
  readonly above: number
  readonly below: number
}

/** What is drawn beyond the edges, so that scrolling finds it there. */
const beyond = 300

export function rangeOf(heights: Heights, top: number, height: number): Range {
  const whole = heights.above(heights.length)
  if (heights.length === 0) return { first: 0, end: 0, above: 0, below: 0 }
  const first = heights.at(Math.max(0, Math.min(top, whole) - beyond))
  const end = heights.at(Math.max(0, top + height + beyond)) + 1
  const above = heights.above(first)
  return { first, end, above, below: whole - heights.above(end) }
}

/** Where the end is, without drawing what leads to it. */
export function endRange(heights: Heights, height: number): Range {
  return rangeOf(heights, Math.max(0, heights.above(heights.length) - height), height)
}
