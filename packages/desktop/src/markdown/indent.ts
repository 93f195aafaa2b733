// White space at the beginning of a line, in columns: a tab extends to the next multiple of four.

const tab = 4

export function indentOf(line: string): number {
  return widthOf(/^[ \t]*/.exec(line)?.[0] ?? '')
}

export function widthOf(text: string): number {
  let columns = 0
  for (const character of text) columns += character === '\t' ? tab - (columns % tab) : 1
  return columns
}

/** Removes at most so many columns. What remains of a tab becomes spaces; later tabs stay, because they may belong to code. */
export function withoutIndent(line: string, columns: number): string {
  let [at, removed] = [0, 0]
  while (removed < columns && (line[at] === ' ' || line[at] === '\t')) {
    removed += line[at] === ' ' ? 1 : tab - (removed % tab)
    at += 1
  }
  return ' '.repeat(Math.max(0, removed - columns)) + line.slice(at)
}
