// The paths and hosts that the words of an understood command name.
import { pathInWord } from '../../../policy/resolved-paths.ts'
import type { UnderstoodCommand } from './understood-command.ts'

/** Any word may be a path. */
export function pathsIn({ command, targets }: UnderstoodCommand, folder: string): readonly string[] {
  if (!command.understood) return []
  const words = command.commands.flatMap((one) => one.words.slice(1)).flatMap((word) => pathInWord(word, folder) ?? [])
  return [...new Set([...command.writes, ...command.reads, ...[...targets.values()].flat(), ...words])]
}

export function hostsIn({ command }: UnderstoodCommand): readonly string[] {
  if (!command.understood) return []
  const hosts = command.commands.flatMap(({ words }) => words.slice(1)).flatMap((word) => URL.parse(word)?.host || [])
  return [...new Set(hosts)]
}
