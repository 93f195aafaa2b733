import { memoryWritebackStates } from '@tandem/contract/learning'
import { listed } from '../command/listing.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, limitOf, limitProblem, text } from '../terminal/options.ts'
import { percent } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { agentFilter, listOptions, stepFor } from './arguments.ts'

export const memoriesUsage = joinUsages(
  explainedUsage(
    `tandem learning memories [--agent NAME] [--state ${memoryWritebackStates.join('|')}] [--limit N] [--json]`,
    'Lists the lessons that runs propose to remember.',
  ),
  explainedUsage('tandem learning memories commit ID [--json]', 'Makes a lesson a memory.'),
  explainedUsage('tandem learning memories dismiss ID [--json]', 'Dismisses a lesson. It is not proposed again.'),
)

export async function memories(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { ...listOptions, state: text }, memoriesUsage)
  if (!given.ok) return given.code
  const [verb, candidate_id, ...more] = given.words
  if (verb === 'commit' || verb === 'dismiss') {
    if (candidate_id === undefined || more.length > 0) return printUsage('specify one memory candidate', memoriesUsage)
    const problem = idProblem('ID', candidate_id)
    return problem ? printUsage(problem, memoriesUsage) : await decide(verb, candidate_id, given.values.json)
  }
  if (verb !== undefined) return printUsage(`unknown action "${verb}": choose commit or dismiss`, memoriesUsage)
  const state = memoryWritebackStates.find((one) => one === given.values.state)
  if (given.values.state !== undefined && !state)
    return printUsage(`--state must be one of ${memoryWritebackStates.join(', ')}`, memoriesUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, memoriesUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, given.values.agent)
    if (!of.ok) return refused(of.error)
    return await listed({
      ...{ limit, json: given.values.json, none: 'There are no memory candidates.' },
      page: (paging) => client.call('memory_list_writeback_candidates', { ...of.value, ...(state ? { state } : {}), ...paging }),
      async rows(items) {
        const rows = items.map((one) => [one.id, one.state, percent(one.confidence), one.run_id, singleLine(one.content, 160)])
        return [['id', 'state', 'confidence', 'run', 'lesson'], ...rows]
      },
    })
  })
}

async function decide(verb: 'commit' | 'dismiss', candidate_id: string, json: boolean): Promise<number> {
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call(`memory_${verb}_writeback_candidate`, { candidate_id })
    if (!answer.ok) return refused(answer.error, stepFor(answer.error))
    const memory = 'memory' in answer.value ? answer.value.memory : null
    const said = memory ? `It is memory ${memory.id} now: ${singleLine(memory.content, 120)}` : 'It was dismissed.'
    console.log(json ? JSON.stringify(answer.value) : said)
    return 0
  })
}
