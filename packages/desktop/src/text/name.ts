// Names others chose, on one line: a line end inside one must not look like the end of it.
import { visibleText } from './visible.ts'

const marks: Readonly<Record<string, string>> = { '\n': '⟨line end⟩', '\r': '⟨return⟩', '\t': '⟨tab⟩' }

export function visibleName(name: string): string {
  return visibleText(name).replace(/[\n\r\t]/g, (letter) => marks[letter] ?? letter)
}
