// `tandem memory correct` and `corrections`.
import { memoryKinds } from '@tandem/contract/memory'
import { listed } from '../command/listing.ts'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json, limitOf, limitProblem, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { answered } from './answer.ts'
import { isKind, kindProblem } from './arguments.ts'
import { resolutionLines } from './text.ts'

export const correctUsage = explainedUsage(
  `tandem memory correct --wrong TEXT --right TEXT [--memory ID] [--message ID] [--kind ${memoryKinds.join('|')}] [--agent NAME] [--json]`,
  'Records a correction. --memory or --message: the memory or the message that is wrong.',
)
export const correctionsUsage = explainedUsage('tandem memory corrections [--agent NAME] [--limit N] [--json]', 'Lists your corrections.')

const options = { wrong: text, right: text, memory: text, message: text, kind: text, agent: text, json } as const

export async function correct(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, correctUsage)
  if (!given.ok) return given.code
  const { wrong = '', right = '', memory, message, kind, agent } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"; put each text in quotes`, correctUsage)
  if (wrong.trim() === '' || right.trim() === '')
    return printUsage('specify what is wrong with --wrong and what is right with --right', correctUsage)
  if (kind !== undefined && !isKind(kind)) return printUsage(kindProblem, correctUsage)
  const problem = idProblem('--memory', memory) ?? idProblem('--message', message)
  if (problem) return printUsage(problem, correctUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await resolveAgent(client, agent)
    if (!agent_id.ok) return refused(agent_id.error)
    const params = {
      agent_id: agent_id.value,
      wrong,
      right,
      ...(memory === undefined ? {} : { corrected_memory_id: memory }),
      ...(message === undefined ? {} : { message_id: message }),
      ...(kind === undefined ? {} : { memory_kind: kind }),
    }
    return await answered(client, 'memory_record_user_correction', params, given.values.json, ({ memory: kept, resolution }) =>
      [
        `Corrected. ${kept.id} applies from the agent's next turn or run: ${singleLine(kept.content, 200)}`,
        ...resolutionLines(resolution),
      ].join('\n'),
    )
  })
}

export async function corrections(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, limit: { type: 'string', default: '20' }, json }, correctionsUsage)
  if (!given.ok) return given.code
  const { agent } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, correctionsUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, correctionsUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = agent === undefined ? null : await resolveAgent(client, agent)
    if (agent_id && !agent_id.ok) return refused(agent_id.error)
    const of = agent_id ? { agent_id: agent_id.value } : {}
    return await listed({
      limit,
      json: given.values.json,
      none: 'There are no corrections. Add one with tandem memory correct --wrong TEXT --right TEXT.',
      page: (paging) => client.call('memory_list_corrections', { ...of, ...paging }),
      rows: async (items) =>
        items.map(({ memory_id, created_at, wrong, right }) => [
          utcMinute(created_at),
          `wrong: ${singleLine(wrong, 60)}`,
          `right: ${singleLine(right, 60)}`,
          `memory ${memory_id}`,
        ]),
    })
  })
}
