// A failed command in a terminal: how it ended, and what it printed.
import { outputSummary, readOutput } from '@tandem/contract/tool/output'
import { styled } from '../terminal/style.ts'
import { stripControls } from '../terminal/terminal-text.ts'

/** The end of an output usually shows what went wrong. */
const shownLines = 40
const shownCharacters = 8_000

export function commandText(tool: string, output: unknown, beside: NodeJS.WriteStream): string {
  const title = styled('red', `✗ ${stripControls(tool)} ${stripControls(outputSummary(tool, output))}`, beside)
  const { lines, hidden } = lastLines(textIn(tool, output))
  if (lines.length === 0) return title
  return [title, ...(hidden ? ['  […]'] : []), ...lines.map((one) => `  ${one}`)].join('\n')
}

function textIn(tool: string, output: unknown): string {
  const read = readOutput(tool, output)
  if ((read.tool !== 'shell.exec' && read.tool !== 'script.run') || 'state' in read.output) return ''
  const { output: start, output_end: rest } = read.output
  return rest === '' ? start : `${start}\n[…]\n${rest}`
}

function lastLines(text: string): { readonly lines: readonly string[]; readonly hidden: boolean } {
  const whole = stripControls(text).trimEnd()
  if (whole === '') return { lines: [], hidden: false }
  const end = whole.slice(-shownCharacters)
  const lines = end.split('\n').slice(-shownLines)
  return { lines, hidden: lines.join('\n').length < whole.length }
}
