// How a command ended, read from the output of its call. A command that fails is a successful call: it ran, and its exit code is the result.
// User interfaces must not show that as a success.
import type { ToolOutcome } from '../run/index.ts'
import { readOutput } from './output/read.ts'

export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string | null }
  | { readonly kind: 'timed_out' }

/** Null for other tools, and for a command that still runs in the background. */
export function commandEnd(tool: string, output: unknown): CommandEnd | null {
  const read = readOutput(tool, output)
  if ((read.tool !== 'shell.exec' && read.tool !== 'script.run') || 'state' in read.output) return null
  const { exit_code, signal, timed_out } = read.output
  if (timed_out) return { kind: 'timed_out' }
  return exit_code === null ? { kind: 'killed', signal } : { kind: 'exited', code: exit_code }
}

/** The outcome to show for a call: that of its command, if it ran one. */
export function displayedOutcome(tool: string, outcome: ToolOutcome, output: unknown): ToolOutcome {
  const end = outcome === 'succeeded' ? commandEnd(tool, output) : null
  if (end === null || (end.kind === 'exited' && end.code === 0)) return outcome
  return end.kind === 'timed_out' ? 'timed_out' : 'failed'
}
