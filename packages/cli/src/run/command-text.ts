// A failed command in a terminal: how it ended, and what it printed.
import { outputSummary, readOutput } from '@tandem/contract/tool/output'
import { styled } from '../terminal/style.ts'
import { stripControls } from '../terminal/terminal-text.ts'

/** The end of an output usually shows what went wrong. */
const shownLines = 40
const shownCharacters = 8_000

export function commandText(tool: string, output: unknown, beside: NodeJS.WriteStream): string {
  const title = styled('red', `✗ ${stripControls(tool)} ${stripControls(outputSummary(tool, output))}`, beside)
  return [title, ...outputLines(tool, output).map((one) => `  ${one}`)].join('\n')
}

/** The end of what a command printed; empty for other tools. */
export function outputLines(tool: string, output: unknown, most = shownLines): string[] {
  return endOf(textIn(tool, output), most)
}

/** The last lines of a text; a mark shows that there is more above. */
export function endOf(text: string, most = shownLines): string[] {
  const { lines, hidden } = lastLines(text, most)
  return lines.length === 0 ? [] : [...(hidden ? ['[…]'] : []), ...lines]
}

function textIn(tool: string, output: unknown): string {
  const read = readOutput(tool, output)
  if ((read.tool !== 'shell.exec' && read.tool !== 'script.run') || 'state' in read.output) return ''
  const { output: start, output_end: rest } = read.output
  return rest === '' ? start : `${start}\n[…]\n${rest}`
}

function lastLines(text: string, most: number): { readonly lines: readonly string[]; readonly hidden: boolean } {
  const whole = stripControls(text).trimEnd()
  if (whole === '') return { lines: [], hidden: false }
  const end = whole.slice(-shownCharacters)
  const lines = end.split('\n').slice(-most)
  return { lines, hidden: lines.join('\n').length < whole.length }
}
