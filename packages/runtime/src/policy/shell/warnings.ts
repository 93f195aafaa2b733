// What a person should see before saying yes.
import { actsAsAnother, removes, runsCode, sends } from './programs.ts'
import type { SimpleCommand, Understanding } from './understanding.ts'

/** `strangeWrites` are those of its redirections that lead where nobody would expect them. */
export function warningsFor(understanding: Understanding, strangeWrites: readonly string[]): readonly string[] {
  if (!understanding.understood) return [`Not all of this command was understood: ${understanding.reason}. Read it in full.`]
  const { commands, outputs, cwd_changes } = understanding
  const found = [
    ...commands.flatMap(aboutProgram),
    ...commands.flatMap((command, at) => (at > 0 && isInterpreter(command) ? ['Runs the output of another command as code.'] : [])),
    ...strangeWrites.map((path) => `Writes ${path}.`),
    ...outputs.map((path) => `Names ${path} as its output.`),
    ...(cwd_changes ? ['Changes the folder it works in; what follows happens there.'] : []),
  ]
  return [...new Set(found)]
}

function aboutProgram({ words }: SimpleCommand): string[] {
  const program = nameOf(words[0] ?? '')
  if (actsAsAnother.includes(program)) return [`${program} acts with other rights than yours.`]
  if (runsCode.includes(program)) return [`${program} runs code that is not shown here in full.`]
  if (removes.includes(program)) return [`${program} removes or overwrites files.`]
  if (sends.includes(program)) return [`${program} talks to other machines.`]
  if (program === 'find' && words.some((word) => /^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fls)$/.test(word)))
    return ['find changes or runs what it finds.']
  if (program === 'git' && ['push', 'reset', 'clean', 'checkout', 'restore', 'rebase'].some((word) => words.includes(word)))
    return ['git changes history, files or a remote.']
  if (words[0]?.includes('/')) return [`Runs the program ${words[0]}.`]
  return []
}

/** Only with nothing to run named, an interpreter reads its code from the pipe. */
function isInterpreter({ words }: SimpleCommand): boolean {
  return (
    /^(?:ba|z|da|k|fi)?sh$|^python[23]?$|^node$|^perl$|^ruby$/.test(nameOf(words[0] ?? '')) &&
    words.slice(1).every((word) => word.startsWith('-'))
  )
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1)
}
