// Untrusted names on one line: a line break inside a name must not look like its end.
import { visibleText } from './visible.ts'

const marks: Readonly<Record<string, string>> = { '\n': '⟨line end⟩', '\r': '⟨return⟩', '\t': '⟨tab⟩' }

export function visibleName(name: string): string {
  return visibleText(name).replace(/[\n\r\t]/g, (letter) => marks[letter] ?? letter)
}
