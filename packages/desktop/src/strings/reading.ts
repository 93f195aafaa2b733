// Texts of what agents write, and of a conversation as a file.
import { translated } from '../language/language.ts'
import { locale } from './locale.ts'

export const readingWords = translated('readingWords', {
  done: 'Done',
  open: 'To do',
  footnote: (label: string) => `Footnote ${label}`,
  wrap: 'Wrap lines',
  showAll: (lines: number) => `Show all ${lines} lines`,
  showLess: 'Show less',
  /** An image on another machine is not loaded before a click. */
  remoteImage: (text: string, address: string) => `${text === '' ? 'Image' : `Image: ${text}`} (${address})`,
  diagram: {
    alt: (kind: string, title: string | null) => `Diagram${kind === '' ? '' : ` (${kind})`}${title === null ? '' : `: ${title}`}`,
    source: 'Show source',
    show: 'Show diagram',
    nothing: 'nothing was drawn',
    noLibrary: 'the library for diagrams cannot be loaded',
    failed: (reason: string) => `This diagram can’t be drawn: ${reason}`,
    large: (characters: number, lines: number) => `it has more than ${characters.toLocaleString(locale)} characters or ${lines} lines.`,
  },
})

export const exportWords = translated('exportWords', {
  action: { markdown: 'Save as Markdown', json: 'Save as JSON' },
  doing: 'save the conversation',
  started: (at: string) => `Started ${at}`,
  other: (author: string) => `Not written by you (${author})`,
  files: (names: string) => `Files: ${names}`,
})
