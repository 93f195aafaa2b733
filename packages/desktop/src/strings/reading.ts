// Texts of what agents write, and of a conversation as a file.
export const readingWords = {
  done: 'Done',
  open: 'To do',
  footnote: (label: string) => `Footnote ${label}`,
  wrap: 'Wrap lines',
  showAll: (lines: number) => `Show all ${lines} lines`,
  showLess: 'Show less',
}

export const exportWords = {
  action: { markdown: 'Save as Markdown', json: 'Save as JSON' },
  doing: 'save the conversation',
  started: (at: string) => `Started ${at}`,
  other: (author: string) => `Not written by you (${author})`,
  files: (names: string) => `Files: ${names}`,
}
