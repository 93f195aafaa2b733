// The colors of the session. Respects NO_COLOR, like everything in the terminal.
import { styleText } from 'node:util'
import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui'

type StyleTextFormat = Parameters<typeof styleText>[0]

export function painted(format: StyleTextFormat, text: string): string {
  return styleText(format, text, { stream: process.stdout })
}

const paint = (format: StyleTextFormat) => (text: string) => painted(format, text)
const plain = (text: string) => text

export const selectTheme: SelectListTheme = {
  selectedPrefix: paint('cyan'),
  selectedText: paint(['bold', 'cyan']),
  description: paint('dim'),
  scrollInfo: paint('dim'),
  noMatch: paint('dim'),
}

export const editorTheme: EditorTheme = { borderColor: paint('dim'), selectList: selectTheme }

export const markdownTheme: MarkdownTheme = {
  heading: paint(['bold', 'cyan']),
  link: paint('underline'),
  linkUrl: paint('dim'),
  code: paint('yellow'),
  codeBlock: plain,
  codeBlockBorder: paint('dim'),
  quote: paint('dim'),
  quoteBorder: paint('dim'),
  hr: paint('dim'),
  listBullet: paint('cyan'),
  bold: paint('bold'),
  italic: paint('italic'),
  strikethrough: paint('strikethrough'),
  underline: paint('underline'),
}
