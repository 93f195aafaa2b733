import { type MemoryState, memoryKinds, memoryStates } from '@tandem/contract/memory'
import { agentNames } from '../command/agents.ts'
import { listed } from '../command/listing.ts'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, json, limitOf, limitProblem, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { isKind, kindProblem } from './arguments.ts'
import { memoryRow } from './text.ts'

export const listUsage = explainedUsage(
  `tandem memory [list] [--kind ${memoryKinds.join('|')}]… [--state ${memoryStates.join('|')}]… [--agent NAME] ` +
    '[--words "WORDS"] [--to-review] [--conflicts] [--expires-soon] [--limit N] [--json]',
  'Lists memories, newest first.',
  '--to-review: those that need your confirmation. --conflicts: those that contradict another. --expires-soon: those that expire within 14 days.',
)

const options = {
  kind: { type: 'string', multiple: true },
  state: { type: 'string', multiple: true },
  agent: text,
  words: text,
  'to-review': flag,
  conflicts: flag,
  'expires-soon': flag,
  limit: { type: 'string', default: '50' },
  json,
} as const

/** The same as in `tandem memory status`. */
const soon_ms = 14 * 24 * 60 * 60 * 1_000
const mostWords = 4

/** Newest first. */
export async function list(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, listUsage)
  if (!given.ok) return given.code
  const { kind = [], state = [], agent, words, conflicts, limit: most, 'to-review': to_review, 'expires-soon': soon } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, listUsage)
  const memory_kinds = kind.filter(isKind)
  if (memory_kinds.length < kind.length) return printUsage(kindProblem, listUsage)
  const states = state.filter(isState)
  if (states.length < state.length) return printUsage(`--state must be one of ${memoryStates.join(', ')}`, listUsage)
  const wanted = words?.split(/\s+/).filter((word) => word !== '')
  if (wanted && (wanted.length === 0 || wanted.length > mostWords)) return printUsage(`--words needs 1 to ${mostWords} words`, listUsage)
  const limit = limitOf(most)
  if (limit === null) return printUsage(limitProblem, listUsage)
  if (to_review && states.some((one) => one !== 'active'))
    return printUsage('only active memories can be reviewed: omit --state', listUsage)

  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = agent === undefined ? null : await resolveAgent(client, agent)
    if (agent_id && !agent_id.ok) return refused(agent_id.error)
    const of = soon && states.length === 0 ? (['active'] as const) : states
    const filter = {
      ...(agent_id ? { agent_id: agent_id.value } : {}),
      ...(memory_kinds.length > 0 ? { memory_kinds } : {}),
      ...(of.length > 0 ? { states: [...of] } : {}),
      ...(wanted ? { words: wanted } : {}),
      ...(to_review ? { to_review } : {}),
      ...(conflicts ? { has_conflict: true } : {}),
      ...(soon ? { expires_before: new Date(Date.now() + soon_ms).toISOString() } : {}),
    }
    const none = Object.keys(filter).length > 0 ? 'No memory matches.' : 'There are no memories yet. Add one with tandem memory add "…".'
    return await listed({
      limit,
      json: given.values.json,
      none,
      page: (paging) => client.call('memory_list', { ...filter, ...paging }),
      async rows(items) {
        const names = await agentNames(client)
        return items.map((memory) => memoryRow(memory, names))
      },
    })
  })
}

function isState(word: string): word is MemoryState {
  return memoryStates.some((state) => state === word)
}
