// Calls a command, and prints its result as JSON or as text.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { refused } from '../terminal/refusal.ts'
import { listMemories } from './arguments.ts'

export async function answered<Name extends CommandName>(
  client: RuntimeClient,
  name: Name,
  params: CommandParams<Name>,
  json: boolean,
  textOf: (result: CommandResult<Name>) => string | Promise<string>,
): Promise<number> {
  const answer = await client.call(name, params)
  if (!answer.ok) return refused(answer.error, answer.error.message.includes('no memory') ? listMemories : undefined)
  console.log(json ? JSON.stringify(answer.value) : await textOf(answer.value))
  return 0
}
