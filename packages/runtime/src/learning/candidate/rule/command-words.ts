// The paths and hosts that the words of an understood command name.
import { pathInWord } from '../../../policy/resolved-paths.ts'
import type { ParsedCommand } from '../../../policy/shell/understanding.ts'

interface CommandWords {
  readonly command: ParsedCommand
  readonly targets: ReadonlyMap<string, readonly string[]>
}

/** Any word may be a path. */
export function pathsIn({ command, targets }: CommandWords, folder: string): readonly string[] {
  if (!command.understood) return []
  const words = command.commands.flatMap((one) => one.words.slice(1)).flatMap((word) => pathInWord(word, folder) ?? [])
  return [...new Set([...command.writes, ...command.reads, ...[...targets.values()].flat(), ...words])]
}

export function hostsIn({ command }: Pick<CommandWords, 'command'>): readonly string[] {
  if (!command.understood) return []
  const hosts = command.commands.flatMap(({ words }) => words.slice(1)).flatMap((word) => URL.parse(word)?.host || [])
  return [...new Set(hosts)]
}
