// A table as text: one line per row.

export interface PageTable {
  row(): void
  cell(): void
  /** Adds text to the current cell. */
  write(text: string): void
  /** `header` is the length of the first row, if there are others. */
  built(): { readonly text: string; readonly header: number }
}

export function openTable(): PageTable {
  const rows: string[][] = []
  function row(): void {
    if (rows.at(-1)?.length !== 0) rows.push([])
  }
  return {
    row,
    cell() {
      if (rows.length === 0) row()
      rows.at(-1)?.push('')
    },
    write(text) {
      const written = text.replaceAll(/\s+/g, ' ').trim()
      if (written === '') return
      if (rows.length === 0) row()
      const cells = rows.at(-1) ?? []
      const before = cells.pop()
      cells.push(before ? `${before} ${written}` : written)
    },
    built() {
      const lines = rows.map((cells) => cells.join(' | ')).filter((line) => /[^\s|]/.test(line))
      return { text: lines.join('\n'), header: lines.length > 1 ? (lines[0]?.length ?? 0) : 0 }
    },
  }
}
