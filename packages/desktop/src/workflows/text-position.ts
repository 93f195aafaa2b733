// The place of a line and a column in a text. Both count from 1.

export function offsetAt(text: string, line: number, column = 1): number {
  let start = 0
  for (let current = 1; current < line; current += 1) {
    const end = text.indexOf('\n', start)
    if (end === -1) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + Math.max(0, column - 1), end === -1 ? text.length : end)
}
