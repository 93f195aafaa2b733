// What is known of a shell command without looking at the disk. Computed once for each text: the grammar is slow the first time.
import { commandTargets } from '../../../checkpoint/command/command-targets.ts'
import { parseCommand } from '../../../policy/shell/understand.ts'
import type { ParsedCommand } from '../../../policy/shell/understanding.ts'
import { warningsFor } from '../../../policy/shell/warnings.ts'
import { hostsIn, pathsIn } from './command-words.ts'

export interface UnderstoodCommand {
  readonly command: ParsedCommand
  /** What each simple command will write or remove, by its text. */
  readonly targets: ReadonlyMap<string, readonly string[]>
  /** What to check before it is approved, as far as its words say so. */
  readonly warnings: readonly string[]
  /** What its words name. */
  readonly paths: readonly string[]
  readonly hosts: readonly string[]
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
  /** By place, then by text: most commands have few places, and joining the keys would take longer than finding the command. */
  const kept = new Map<string, Map<string, UnderstoodCommand>>()
  let count = 0
  const keyOf = ({ workspace, folder }: CommandPlace) => (workspace === folder ? workspace : `${workspace}\n${folder}`)

  function dropOldest(): void {
    const [place = '', commands] = kept.entries().next().value ?? []
    const [text] = commands?.keys() ?? []
    if (text !== undefined && commands?.delete(text)) count -= 1
    if (!commands?.size) kept.delete(place)
  }

  function keep(text: string, place: CommandPlace, found: UnderstoodCommand): void {
    if (count >= mostKept) dropOldest()
    const here = kept.get(keyOf(place)) ?? new Map<string, UnderstoodCommand>()
    kept.set(keyOf(place), here)
    if (!here.has(text)) count += 1
    here.set(text, found)
  }

  return {
    known: (command, place) => kept.get(keyOf(place))?.get(command),
    async understand(text, place) {
      const { workspace, folder } = place
      const command = await parseCommand(text, folder)
      const targets = command.understood ? command.commands.map((one) => [one.text, commandTargets(one.text, folder).targets] as const) : []
      const words = { command, targets: new Map(targets) }
      const named = { paths: pathsIn(words, folder), hosts: hostsIn(words) }
      const found = { ...words, ...named, warnings: warningsFor(command, { workspace }) }
      keep(text, place, found)
      return found
    },
  }
}
