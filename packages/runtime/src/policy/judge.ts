// Everything the rule needs to know of a call, looked up, and the rule asked.
import { resolve } from 'node:path'
import { type CallFacts, type Decision, decide } from './decide.ts'
import { isInside } from './inside.ts'
import { type Places, placeIn, placesOf } from './places.ts'
import { understand } from './shell/understand.ts'
import type { Understanding } from './shell/understanding.ts'
import { warningsFor } from './shell/warnings.ts'

export type JudgedCall = Omit<CallFacts, 'command' | 'places' | 'warnings'>

export async function judge(call: JudgedCall): Promise<Decision> {
  const shell = call.effects.find((effect) => effect.does === 'execute' && effect.language === 'shell')
  const command = shell?.does === 'execute' ? await understand(shell.command, resolve(call.workspace, shell.cwd)) : null
  const places = await placesOf({ ...call, command })
  return decide({ ...call, command, places, warnings: command ? warningsFor(command, strangeWrites(command, places, call)) : [] })
}

/** A command that redirects into its workspace does what `fs.write` does there, and is warned of no more. */
function strangeWrites(command: Understanding, places: Places, { workspace }: JudgedCall): readonly string[] {
  if (!command.understood) return []
  return command.writes.filter((path) => command.cwd_changes || !isInside(placeIn(places, path).real, workspace))
}
