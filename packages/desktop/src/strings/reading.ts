// Texts of what agents write: tasks, footnotes and code.
export const readingWords = {
  done: 'Done',
  open: 'To do',
  footnote: (label: string) => `Footnote ${label}`,
  wrap: 'Wrap lines',
  showAll: (lines: number) => `Show all ${lines} lines`,
  showLess: 'Show less',
}
