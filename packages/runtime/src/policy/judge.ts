// Looks up everything the rule needs to know about a call, and applies the rule.
import { resolve } from 'node:path'
import { visibleText } from '@tandem/contract/text'
import type { AgentChanges } from './agent-changes.ts'
import { commandInstructions } from './command-instructions.ts'
import { type CallFacts, type Decision, decide } from './decide.ts'
import { placesOf } from './places.ts'
import { misleading } from './shell/characters.ts'
import { understand } from './shell/understand.ts'
import { warningsFor } from './shell/warnings.ts'

export type JudgedCall = Omit<CallFacts, 'command' | 'places' | 'warnings' | 'notes' | 'instructions' | 'digestOf' | 'targets'>

export interface JudgePorts {
  readonly changes: Pick<AgentChanges, 'among' | 'isApproved'>
  /** The paths that a command says it will write or remove. */
  targetsOf(command: string, cwd: string): readonly string[]
}

export async function judge(call: JudgedCall, { changes, targetsOf }: JudgePorts): Promise<Decision> {
  const shell = call.effects.find((effect) => effect.does === 'execute' && effect.language === 'shell')
  const folder = shell?.does === 'execute' ? resolve(call.workspace, shell.cwd) : call.workspace
  const command = shell?.does === 'execute' ? await understand(shell.command, folder) : null
  const targets = new Map(command?.understood ? command.commands.map(({ text }) => [text, targetsOf(text, folder)] as const) : [])
  const places = await placesOf({ ...call, command, targets })
  const hidden = hiddenCharacters(call)
  if (!command) return decide({ ...call, command, places, targets, warnings: hidden })
  const { notes, warnings, digests, digestOf } = await commandInstructions(command, folder, changes)
  const place = { workspace: call.workspace, places, digestOf }
  return decide({
    ...call,
    command,
    places,
    targets,
    digestOf,
    notes,
    instructions: digests,
    warnings: [...warningsFor(command, place), ...warnings, ...hidden],
  })
}

/** In a command they are found when it is taken apart. */
function hiddenCharacters({ effects }: JudgedCall): readonly string[] {
  return effects.flatMap((effect) => {
    const text = 'path' in effect ? effect.path : 'host' in effect ? effect.host : ''
    const found = misleading(text)
    return found === null ? [] : [`${visibleText(text)} contains ${found}.`]
  })
}
