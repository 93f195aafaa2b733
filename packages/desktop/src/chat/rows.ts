// Which rows of a long list are drawn. Rows that were never drawn are taken to be as high as rows of their kind usually are.

export interface Range {
  readonly first: number
  /** One past the last. */
  readonly end: number
  readonly above: number
  readonly below: number
}

/** What is drawn beyond the edges, so that scrolling finds it there. */
const beyond = 800

export function rangeOf(heights: readonly number[], top: number, height: number): Range {
  let above = 0
  let first = 0
  while (first < heights.length && above + (heights[first] ?? 0) < top - beyond) {
    above += heights[first] ?? 0
    first += 1
  }
  let drawn = above
  let end = first
  while (end < heights.length && drawn < top + height + beyond) {
    drawn += heights[end] ?? 0
    end += 1
  }
  let below = 0
  for (let at = end; at < heights.length; at += 1) below += heights[at] ?? 0
  return { first, end, above, below }
}

/** Where the end is, without drawing what leads to it. */
export function endRange(heights: readonly number[], height: number): Range {
  const whole = heights.reduce((sum, one) => sum + one, 0)
  return rangeOf(heights, Math.max(0, whole - height), height)
}
