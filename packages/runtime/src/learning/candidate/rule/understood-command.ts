// What is known of a shell command without looking at the disk. Computed once for each text: the grammar is slow the first time.
import { commandTargets } from '../../../checkpoint/command/command-targets.ts'
import { parseCommand } from '../../../policy/shell/understand.ts'
import type { ParsedCommand } from '../../../policy/shell/understanding.ts'
import { warningsFor } from '../../../policy/shell/warnings.ts'

export interface UnderstoodCommand {
  readonly command: ParsedCommand
  /** What each simple command will write or remove, by its text. */
  readonly targets: ReadonlyMap<string, readonly string[]>
  /** What to check before it is approved, as far as its words say so. */
  readonly warnings: readonly string[]
}

export interface CommandPlace {
  readonly workspace: string
  /** The folder in which it runs. */
  readonly folder: string
}

export interface CommandCache {
  /** Undefined if it was not understood before. */
  known(command: string, place: CommandPlace): UnderstoodCommand | undefined
  understand(command: string, place: CommandPlace): Promise<UnderstoodCommand>
}

const mostKept = 10_000

export function openCommandCache(): CommandCache {
  const kept = new Map<string, UnderstoodCommand>()
  const keyOf = (command: string, { workspace, folder }: CommandPlace) => `${workspace}\n${folder}\n${command}`
  return {
    known: (command, place) => kept.get(keyOf(command, place)),
    async understand(text, place) {
      const { workspace, folder } = place
      const command = await parseCommand(text, folder)
      const targets = command.understood ? command.commands.map((one) => [one.text, commandTargets(one.text, folder).targets] as const) : []
      const found = { command, targets: new Map(targets), warnings: warningsFor(command, { workspace }) }
      const [oldest] = kept.keys()
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
      kept.set(keyOf(text, place), found)
      return found
    },
  }
}
