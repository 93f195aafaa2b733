// What to check before a command is approved. A command without a warning is known to be harmless, or to run the project's own code.
import { resolve } from 'node:path'
import { visibleText } from '@tandem/contract/text'
import { isInside } from '../../path/inside.ts'
import { resolvedPath } from '../resolved-paths.ts'
import { changesFolder, interpreters, reasonFor } from './programs.ts'
import { type CommandLocation, isWithin, readCommand } from './read-command.ts'
import type { ParsedCommand, SimpleCommand } from './understanding.ts'

type Understood = Extract<ParsedCommand, { understood: true }>

export function warningsFor(understanding: ParsedCommand, place: CommandLocation): readonly string[] {
  if (!understanding.understood) return [`Not all of this command was understood: ${understanding.reason}. Read it in full.`]
  const { commands, writes, reads, folder, cwd_changes } = understanding
  const found = [
    ...commands.flatMap((command) => aboutName(command)),
    ...commands.flatMap((command) => aboutCommand(command, understanding, place)),
    ...commands.flatMap((command, at) => (at > 0 && readsCode(command) ? ['Runs the output of another command as code.'] : [])),
    ...writes.filter((path) => !isReallyInside(path, folder, place)).map((path) => `Writes ${visibleText(path)}, outside the workspace.`),
    ...reads
      .filter((path) => !isWithin(resolve(folder ?? place.workspace, path), place))
      .map((path) => `Reads ${visibleText(path)}, outside the workspace.`),
    ...(cwd_changes ? ['Changes the working folder for the commands that follow.'] : []),
  ]
  return [...new Set(found)]
}

/** Letters of other scripts can look like Latin letters: `сurl` is not curl. */
function aboutName({ words: [program = ''] }: SimpleCommand): string[] {
  const strange = [...new Set(program)].filter((letter) => letter > '\u007e')
  if (strange.length === 0) return []
  const named = strange.map(
    (letter) => `${visibleText(letter)} is U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
  return [`The program name ${visibleText(program)} contains characters that can look like others: ${named.join(', ')}.`]
}

function aboutCommand(command: SimpleCommand, { folder }: Understood, place: CommandLocation): string[] {
  const { words } = command
  const [first = '', second] = words
  if (changesFolder.includes(first)) return []
  const read = readCommand(command, folder, place)
  const program = nameOf(first)
  const why = reasonFor(
    program,
    words.slice(1).find((word) => !word.startsWith('-')),
  )
  const name = visibleText(first.includes('/') ? program : first)
  switch (read.kind) {
    case 'known': {
      const { row } = read.known
      const verb = row.creates ? 'Writes' : row.instructions ? 'Uses' : 'Reads'
      return read.outside.map((path) => `${verb} ${visibleText(path)}, outside the workspace.`)
    }
    case 'unknown_option':
      return [`${name} ${visibleText(read.option)}: this option is not known to be harmless. ${why === null ? mayDo : `${name} ${why}`}`]
    case 'unexpected_operand':
      return [`${name} with ${visibleText(read.operand)} is not known to be harmless. ${mayDo}`]
    case 'unknown_program': {
      const runs = first.includes('/') ? [`Runs the program ${visibleText(first)}.`] : []
      if (why !== null) return [...runs, `${name} ${why}`]
      const subject = hasSubcommands.includes(program) && second !== undefined ? `${name} ${visibleText(second)}` : name
      return [...runs, `${subject} is not known to be harmless. ${mayDo}`]
    }
  }
}

const mayDo = 'It may change or remove files, send data or run other programs.'
const hasSubcommands: readonly string[] = ['git', 'npm', 'pnpm', 'yarn', 'cargo', 'go']

/** A command that redirects into its workspace does no more than `fs.write` does. */
function isReallyInside(path: string, folder: string | undefined, { workspace, places }: CommandLocation): boolean {
  const full = resolve(folder ?? workspace, path)
  return isInside(resolvedPath(places, full).real, workspace)
}

/** Without a file to run, an interpreter reads its code from the pipe. */
function readsCode({ words: [program = '', ...rest] }: SimpleCommand): boolean {
  return interpreters.includes(nameOf(program)) && rest.every((word) => word.startsWith('-'))
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1)
}
