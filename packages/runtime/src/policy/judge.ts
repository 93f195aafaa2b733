// Everything the rule needs to know of a call, looked up, and the rule asked.
import { resolve } from 'node:path'
import { type CallFacts, type Decision, decide } from './decide.ts'
import { placesOf } from './places.ts'
import { understand } from './shell/understand.ts'
import { warningsFor } from './shell/warnings.ts'

export type JudgedCall = Omit<CallFacts, 'command' | 'places' | 'warnings'>

export async function judge(call: JudgedCall): Promise<Decision> {
  const shell = call.effects.find((effect) => effect.does === 'execute' && effect.language === 'shell')
  const command = shell?.does === 'execute' ? await understand(shell.command, resolve(call.workspace, shell.cwd)) : null
  const places = await placesOf({ ...call, command })
  return decide({ ...call, command, places, warnings: command ? warningsFor(command) : [] })
}
