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

/** What is marked for a mistake at this place: the rest of its line, without spaces at the end; at least one character if there is one. */
export function markedRange(text: string, line: number, column: number): { readonly from: number; readonly to: number } {
  const from = offsetAt(text, line, column)
  const end = text.indexOf('\n', from)
  const rest = text.slice(from, end === -1 ? text.length : end)
  return { from, to: from + rest.trimEnd().length }
}
