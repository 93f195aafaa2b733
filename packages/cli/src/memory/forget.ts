// `tandem memory forget` and `forget-me`: both erase, so both ask first.
import type { CommandResult } from '@tandem/contract/command'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { flag, isId, json } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { answered } from './answer.ts'
import { listMemories } from './arguments.ts'

export const forgetUsage = explainedUsage(
  'tandem memory forget ID [--yes] [--json]',
  'Deletes a memory permanently, and shows what remains. It asks first; without a terminal it needs --yes.',
)
export const forgetMeUsage = explainedUsage(
  'tandem memory forget-me [--yes] [--json]',
  'Deletes everything about you permanently, and shows what remains. It asks first; without a terminal it needs --yes.',
)

export async function forget(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { yes: flag, json }, forgetUsage)
  if (!given.ok) return given.code
  const [memory_id, ...more] = given.words
  if (!isId(memory_id) || more.length > 0) return printUsage(`specify one memory by its id. ${listMemories}`, forgetUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    if (!given.values.yes) {
      const found = await client.call('memory_get', { memory_id })
      if (!found.ok) return refused(found.error, listMemories)
      console.error(escapeControls(found.value.memory.content))
      const code = await unlessSure('Forget this memory and all its versions? This cannot be undone.', 'forget')
      if (code !== null) return code
    }
    return await answered(client, 'memory_forget', { memory_id }, given.values.json, forgottenText)
  })
}

export async function forgetMe(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { yes: flag, json }, forgetMeUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, forgetMeUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    if (!given.values.yes) {
      console.error('Memories about other people, things and folders, and your conversations, are kept.')
      const code = await unlessSure('Forget everything about you, for all agents of this device? This cannot be undone.', 'forget-me')
      if (code !== null) return code
    }
    return await answered(client, 'memory_forget_user', {}, given.values.json, forgottenText)
  })
}

/** Null if the user is sure; otherwise the exit code. */
async function unlessSure(question: string, command: string): Promise<number | null> {
  const answer = await confirm(question)
  if (answer === 'yes') return null
  const why = answer === null ? `without a terminal, ${command} needs --yes. Nothing was forgotten.` : 'nothing was forgotten'
  console.error(`tandem: ${why}`)
  return answer === null ? exitCodes.usage : exitCodes.failed
}

function forgottenText({ memories, graph_edges, remains }: CommandResult<'memory_forget'>): string {
  const edges = graph_edges > 0 ? ` and ${counted(graph_edges, 'relationship')}` : ''
  return [`Forgot ${counted(memories, 'memory', 'memories')}${edges}.`, ...remains.map(escapeControls)].join('\n')
}
