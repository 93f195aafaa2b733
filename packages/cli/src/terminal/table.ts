// Rows with aligned columns.
import { stripControls } from './terminal-text.ts'

export function table(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map((cell) => stripControls(cell).replace(/\s+/g, ' ')))
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)))
  return clean
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
