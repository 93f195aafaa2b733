export const documentFormats = ['markdown', 'text', 'html', 'code', 'csv', 'json', 'jsonl', 'pdf', 'docx'] as const
export type DocumentFormat = (typeof documentFormats)[number]

/** Their bytes are their text: a position in the text is a place in the file. They are read even where there is no sandbox. */
export const textFormats = ['markdown', 'text', 'code', 'csv', 'json', 'jsonl'] as const satisfies readonly DocumentFormat[]

export function isTextFormat(format: DocumentFormat): boolean {
  return (textFormats as readonly DocumentFormat[]).includes(format)
}

/** For users. */
export const documentFormatNames: Readonly<Record<DocumentFormat, string>> = {
  markdown: 'Markdown',
  text: 'Text',
  html: 'HTML',
  code: 'Source code',
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSON Lines',
  pdf: 'PDF',
  docx: 'Word',
}
