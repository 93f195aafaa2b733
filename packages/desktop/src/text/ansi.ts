// Terminal output as colored pieces of plain text. Colors are kept; sequences that move the cursor, define links or set titles are removed.
import { visibleText } from './visible.ts'

export interface AnsiPiece {
  readonly text: string
  readonly colour: Colour | null
  readonly bold: boolean
}

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
export type Colour = (typeof colours)[number]

/** Colors and cursor moves; titles, links and the clipboard; device control strings; short sequences. */
const escapes = new RegExp(
  [
    String.raw`\u001b\[([0-?]*)[ -/]*([@-~])`,
    String.raw`\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?`,
    String.raw`\u001b[PX^_][^\u001b]*(?:\u001b\\)?`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join('|'),
  'g',
)

export function parseAnsi(output: string): readonly AnsiPiece[] {
  const inks: AnsiPiece[] = []
  let colour: Colour | null = null
  let bold = false
  let at = 0
  const add = (text: string) => {
    const shown = visibleText(lastOfEachLine(text))
    if (shown !== '') inks.push({ text: shown, colour, bold })
  }
  for (const match of output.matchAll(escapes)) {
    add(output.slice(at, match.index))
    at = match.index + match[0].length
    if (match[2] !== 'm') continue
    for (const code of (match[1] || '0').split(';').map(Number)) {
      if (code === 0) [colour, bold] = [null, false]
      else if (code === 1) bold = true
      else if (code === 22) bold = false
      else if (code === 39) colour = null
      else if (code === 38 || code === 48) break
      else colour = colours[code >= 90 && code <= 97 ? code - 90 : code - 30] ?? colour
    }
  }
  add(output.slice(at))
  return inks
}

/** A line that was overwritten several times shows its last state. */
function lastOfEachLine(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[^\n]*\r(?=[^\n])/g, '')
}
