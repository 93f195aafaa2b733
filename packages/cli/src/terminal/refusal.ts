// How a refused command is shown in a terminal.
import type { CommandError } from '@tandem/contract/command'
import { exitCodes } from '../run/exit-code.ts'
import { stripControls } from './terminal-text.ts'

export function printRefusal({ code, message, remedy, failure_contract }: CommandError): void {
  console.error(`tandem: ${stripControls(message)}${codeText(code)}`)
  console.error(`        ${stripControls(failure_contract?.details.remedy ?? remedy)}`)
}

/** `step` is the next step as a `tandem` command. */
export function refused(error: CommandError, step?: string): number {
  printRefusal(error)
  if (step !== undefined && error.code === 'not_found') console.error(`        ${step}`)
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}

interface Invocation {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Codes are for programs, which use `--json` or `tandem command`, and for debugging; users need only the message. */
export function codeText(code: CommandError['code'], { args, environment }: Invocation = thisInvocation()): string {
  const end = args.indexOf('--')
  const isForProgram = args[0] === 'command' || args.slice(0, end < 0 ? undefined : end).includes('--json')
  return isForProgram || environment.TANDEM_DEBUG ? ` (${code})` : ''
}

function thisInvocation(): Invocation {
  return { args: process.argv.slice(2), environment: process.env }
}
