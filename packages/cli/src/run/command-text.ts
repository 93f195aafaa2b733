// A command that failed, as a terminal shows it: how it ended, and what it printed.
import { commandEnd } from '@tandem/contract/tool'
import { plain } from '../terminal/plain.ts'
import { styled } from '../terminal/style.ts'

/** The end of an output usually says what went wrong. */
const shownLines = 40
const shownCharacters = 8_000

export function commandText(tool: string, output: unknown, beside: NodeJS.WriteStream): string {
  const title = styled('red', `✗ ${plain(tool)} ${endText(tool, output)}`, beside)
  const { lines, hidden } = lastLines(textIn(output))
  if (lines.length === 0) return title
  return [title, ...(hidden ? ['  […]'] : []), ...lines.map((one) => `  ${one}`)].join('\n')
}

function endText(tool: string, output: unknown): string {
  const end = commandEnd(tool, output)
  if (end?.kind === 'timed_out') return 'timed out'
  if (end?.kind === 'killed') return `was ended by ${plain(end.signal ?? 'a signal')}`
  return `failed with exit code ${end?.code ?? 'unknown'}`
}

function textIn(output: unknown): string {
  const { output: start, output_end: rest } = (output ?? {}) as Readonly<Record<string, unknown>>
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return text(rest) === '' ? text(start) : `${text(start)}\n[…]\n${text(rest)}`
}

function lastLines(text: string): { readonly lines: readonly string[]; readonly hidden: boolean } {
  const whole = plain(text).trimEnd()
  if (whole === '') return { lines: [], hidden: false }
  const end = whole.slice(-shownCharacters)
  const lines = end.split('\n').slice(-shownLines)
  return { lines, hidden: lines.join('\n').length < whole.length }
}
