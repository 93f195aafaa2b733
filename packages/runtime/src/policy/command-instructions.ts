// The files that the commands of a call take instructions from, and whether an agent has changed one of them.
import { createHash } from 'node:crypto'
import { visibleText } from '@tandem/contract/text'
import type { AgentChanges } from './agent-changes.ts'
import { type Instructions, instructionNote, instructionsOf } from './instructions.ts'
import { rowFor } from './shell/program-table.ts'
import type { ParsedCommand } from './shell/understanding.ts'

export interface CommandInstructions {
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
  /** Digests of each command with the files that it takes instructions from: the approval covers exactly these. */
  readonly digests: readonly string[]
  digestOf(words: readonly string[]): string | null
}

const noInstructions: CommandInstructions = { notes: [], warnings: [], digests: [], digestOf: () => null }

export async function commandInstructions(
  command: ParsedCommand,
  folder: string,
  changes: Pick<AgentChanges, 'among' | 'isApproved'>,
): Promise<CommandInstructions> {
  if (!command.understood) return noInstructions
  const read = new Map<string, Instructions>()
  const notes = new Set<string>()
  const warnings = new Set<string>()
  const digests = new Set<string>()
  for (const { words } of command.commands) {
    const known = rowFor(words)
    const program = known?.row.instructions
    if (!known || !program) continue
    const instructions = read.get(program) ?? (await instructionsOf(program, folder))
    read.set(program, instructions)
    notes.add(instructionNote(program))
    const digest = digestFor(words.slice(0, known.length), folder, instructions)
    digests.add(digest)
    if (instructions.unclear !== null) warnings.add(`What ${program} will run cannot be determined: ${visibleText(instructions.unclear)}.`)
    else if (!changes.isApproved(digest)) for (const text of changedTexts(program, instructions, changes)) warnings.add(text)
  }
  return {
    notes: [...notes],
    warnings: [...warnings],
    digests: [...digests],
    digestOf(words) {
      const program = rowFor(words)?.row.instructions
      const found = program && read.get(program)
      return found && found.unclear === null ? found.digest : null
    },
  }
}

const mostNamed = 10

function changedTexts(program: string, { files }: Instructions, changes: Pick<AgentChanges, 'among'>): readonly string[] {
  const found = changes.among(files)
  const texts = found
    .slice(0, mostNamed)
    .map(({ path, how }) =>
      how === 'changed'
        ? `An agent has changed ${visibleText(path)}. ${program} takes instructions from it: read it before you approve.`
        : `An agent may have changed ${visibleText(path)}. ${program} takes instructions from it: read it before you approve.`,
    )
  return found.length > mostNamed ? [...texts, `Agents have changed ${found.length - mostNamed} more files like these.`] : texts
}

function digestFor(words: readonly string[], folder: string, { digest }: Instructions): string {
  return createHash('sha256')
    .update(JSON.stringify([words, folder, digest]))
    .digest('hex')
}
