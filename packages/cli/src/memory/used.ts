import type { CommandResult } from '@tandem/contract/command'
import type { MemoryFate } from '@tandem/contract/memory'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId, json } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { table } from '../terminal/table.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { answered } from './answer.ts'

export const usedUsage = explainedUsage(
  'tandem memory used RUN [--json]',
  'Lists the memories in the prompt of a run, and which of them were corrected, replaced, archived or forgotten since.',
)

/** The memories in the prompt of a run. */
export async function used(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, usedUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (!isId(run_id) || more.length > 0)
    return printUsage('specify one run by its id. List the runs and their ids with tandem runs.', usedUsage)
  return await withRuntimeClient(process.cwd(), (client) => answered(client, 'memory_of_run', { run_id }, given.values.json, usedText))
}

const fates: Record<MemoryFate, string> = {
  active: 'active',
  corrected: 'corrected since',
  replaced: 'replaced since',
  archived: 'archived since',
  forgotten: 'forgotten since',
}

function usedText({ items, tokens }: CommandResult<'memory_of_run'>): string {
  if (items.length === 0) return 'No memories on this device were used in this run.'
  const rows = items.map((item) => [item.memory_id, item.memory?.memory_kind ?? '', fates[item.fate], sentenceOf(item)])
  return `${table(rows)}\n${counted(items.length, 'memory', 'memories')}, ${counted(tokens, 'token')} in the last prompt.`
}

/** In place of what was wrong: what is used now, with its id if it is another memory. */
function sentenceOf({ memory_id, fate, memory }: CommandResult<'memory_of_run'>['items'][number]): string {
  if (memory === null) return ''
  const content = singleLine(memory.content, 120)
  if ((fate !== 'corrected' && fate !== 'replaced') || memory.state === 'superseded') return content
  return memory.id === memory_id ? `now: ${content}` : `now ${memory.id}: ${content}`
}
