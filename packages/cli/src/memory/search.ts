import type { CommandResult } from '@tandem/contract/command'
import { memoryKinds } from '@tandem/contract/memory'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json, text } from '../terminal/options.ts'
import { percent } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { styled } from '../terminal/style.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { answered } from './answer.ts'
import { isKind, kindProblem } from './arguments.ts'
import { words } from './text.ts'

export const searchUsage = explainedUsage(
  `tandem memory search QUERY [--agent NAME] [--conversation ID] [--kind ${memoryKinds.join('|')}]… [--limit N] [--json]`,
  'Searches by meaning and by exact words, and shows why each result was found.',
)

const options = {
  agent: text,
  conversation: text,
  kind: { type: 'string', multiple: true },
  limit: { type: 'string', default: '10' },
  json,
} as const

const mostHits = 50
const longestQuery = 4_096

/** By meaning and by exact words, each hit with why it was found. */
export async function search(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, searchUsage)
  if (!given.ok) return given.code
  const { agent, conversation, kind = [] } = given.values
  const query = given.words.join(' ').trim()
  if (query === '') return printUsage('specify what to search for', searchUsage)
  if (query.length > longestQuery) return printUsage(`a query can have at most ${longestQuery} characters`, searchUsage)
  const memory_kinds = kind.filter(isKind)
  if (memory_kinds.length < kind.length) return printUsage(kindProblem, searchUsage)
  const problem = idProblem('--conversation', conversation)
  if (problem) return printUsage(problem, searchUsage)
  const limit = Number(given.values.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostHits)
    return printUsage(`--limit must be a number from 1 to ${mostHits}`, searchUsage)

  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await resolveAgent(client, agent)
    if (!agent_id.ok) return refused(agent_id.error)
    const params = {
      agent_id: agent_id.value,
      query,
      limit,
      ...(conversation === undefined ? {} : { conversation_id: conversation }),
      ...(memory_kinds.length > 0 ? { memory_kinds } : {}),
    }
    return await answered(client, 'memory_search', params, given.values.json, foundText)
  })
}

type Found = CommandResult<'memory_search'>
type Why = Found['semantic_recall'][number]['why']

/** Why only words were searched. */
export const notCompared: Record<Exclude<Found['semantic'], 'used'>, string> = {
  off: 'Only words were compared, because search by meaning is off. Its settings are memory.compare_meaning and recall.embeddings (see docs/memory.md).',
  not_warm: 'Only words were compared, because the model for search by meaning is not ready yet. Search again in a moment.',
  no_vectors:
    'Only words were compared, because the index for search by meaning is not ready yet. It is built while Tandem is running (tandem start).',
  failed: 'Search by meaning failed. Only words were compared.',
  not_asked: 'Only words were compared.',
}

export const lateText = 'The search took too long, so some results may be missing. Search again in a moment.'

function foundText({ semantic_recall, exact_evidence, semantic, late }: Found): string {
  const title = (name: string) => styled('bold', name, process.stdout)
  return [
    title('Memories'),
    ...(semantic_recall.length === 0 ? ['  No memory matches.'] : []),
    ...semantic_recall.flatMap(({ memory, is_used, score, why }) => [
      `  ${singleLine(memory.content, 200)}`,
      `    ${memory.memory_kind}, ${utcMinute(memory.created_at)}, score ${percent(score)}, ${memory.id}`,
      ...(is_used ? [] : ['    not used: it contradicts a memory that takes precedence, or has expired']),
      `    ${whyText(why)}`,
    ]),
    '',
    title('Exact quotes'),
    ...(exact_evidence.length === 0 ? ['  No exact quotes were found.'] : []),
    ...exact_evidence.flatMap(({ evidence, ts, why }) => [
      `  "${singleLine(evidence.excerpt, 200)}"`,
      `    ${words(evidence.source)} ${escapeControls(evidence.id)}, ${utcMinute(ts)}`,
      `    ${whyText(why)}`,
    ]),
    ...(late ? ['', lateText] : semantic === 'used' ? [] : ['', notCompared[semantic]]),
  ].join('\n')
}

const signals: Readonly<Record<string, string>> = {
  text: 'its words',
  group: 'its conversation',
  neighbors: 'what was said around it',
  speaker: 'who said it',
  characters: 'similar spelling',
  meaning: 'its meaning',
}

function whyText({ signals: shares, words: matched, similarity }: Why): string {
  const parts = [
    ...(matched.length > 0 ? [`matched ${matched.map((word) => `"${escapeControls(word)}"`).join(', ')}`] : []),
    ...(shares.length > 0 ? [shares.map(({ signal, share }) => `${nameOf(signal)} ${percent(share)}`).join(', ')] : []),
    ...(similarity === null ? [] : [`similarity ${similarity.toFixed(2)}`]),
  ]
  return `why: ${parts.join('; ') || 'overall similarity'}`
}

function nameOf(signal: string): string {
  return Object.hasOwn(signals, signal) ? (signals[signal] ?? signal) : escapeControls(signal)
}
