import type { CommandResult } from '@tandem/contract/command'
import type { KnowledgeHit } from '@tandem/contract/knowledge'
import { findAgent } from '../command/agents.ts'
import { lateText, notCompared as notComparedTexts } from '../memory/search.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json, text } from '../terminal/options.ts'
import { percent } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { styled } from '../terminal/style.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { nothingAdded } from './list.ts'
import { findSource } from './source.ts'

export const searchUsage = explainedUsage(
  'tandem kb search QUERY [--source SOURCE]… [--as-agent NAME [--conversation ID]] [--limit N] [--json]',
  'Searches by words and by meaning, and shows for each passage its citation, its score relative to the best passage, and its id.',
  '--as-agent: only what this agent can find. --conversation: as if the agent worked in the folder of this conversation. Without it, the agent is treated as working in no folder.',
)

const options = {
  source: { type: 'string', multiple: true },
  'as-agent': text,
  conversation: text,
  limit: { type: 'string', default: '10' },
  json,
} as const

const mostHits = 50
const mostSources = 100
const longestQuery = 4_096

export async function search(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, searchUsage)
  if (!given.ok) return given.code
  const { source: wanted = [], 'as-agent': agent, conversation } = given.values
  const query = given.words.join(' ').trim()
  if (query === '') return printUsage('specify what to search for', searchUsage)
  if (query.length > longestQuery) return printUsage(`a query can have at most ${longestQuery} characters`, searchUsage)
  if (wanted.length > mostSources) return printUsage(`specify at most ${mostSources} sources`, searchUsage)
  if (conversation !== undefined && agent === undefined) return printUsage('--conversation needs --as-agent', searchUsage)
  const problem = idProblem('--conversation', conversation)
  if (problem) return printUsage(problem, searchUsage)
  const limit = Number(given.values.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostHits)
    return printUsage(`--limit must be a number from 1 to ${mostHits}`, searchUsage)

  return await withRuntimeClient(process.cwd(), async (client) => {
    const source_ids = await sourceIds(client, wanted)
    if (!source_ids.ok) return refused(source_ids.error)
    const reader = agent === undefined ? null : await findAgent(client, agent)
    if (reader && !reader.ok) return refused(reader.error)
    const answer = await client.call('kb_search', {
      ...{ query, limit },
      ...(wanted.length > 0 ? { source_ids: source_ids.value } : {}),
      ...(reader ? { agent_id: reader.value.agent_id } : {}),
      ...(conversation === undefined ? {} : { conversation_id: conversation }),
    })
    if (!answer.ok) return refused(answer.error)
    if (given.values.json) console.log(JSON.stringify(answer.value))
    else console.log(answer.value.hits.length === 0 && (await isEmpty(client)) ? nothingAdded : foundText(answer.value))
    return 0
  })
}

async function sourceIds(client: RuntimeClient, wanted: readonly string[]): Promise<CommandAnswer<string[]>> {
  const ids: string[] = []
  for (const one of wanted) {
    const found = await findSource(client, one)
    if (!found.ok) return found
    ids.push(found.value.source_id)
  }
  return { ok: true, value: [...new Set(ids)] }
}

async function isEmpty(client: RuntimeClient): Promise<boolean> {
  const first = await client.call('kb_list', { limit: 1 })
  return first.ok && first.value.items.length === 0
}

const notCompared: typeof notComparedTexts = {
  ...notComparedTexts,
  off: 'Only words were compared, because search by meaning is off or the knowledge base is too large for the bundled model. The settings are knowledge.compare_meaning, knowledge.most_embedded and recall.embeddings (see docs/knowledge.md).',
}

export function foundText({ hits, semantic, late }: CommandResult<'kb_search'>, out: NodeJS.WriteStream = process.stdout): string {
  const note = late ? lateText : semantic === 'used' ? null : notCompared[semantic]
  return [
    ...(hits.length === 0 && !late ? ['Nothing was found.'] : []),
    ...hits.flatMap((hit, index) => [...(index === 0 ? [] : ['']), ...hitLines(hit, out)]),
    ...(note === null || (hits.length === 0 && semantic === 'not_asked' && !late) ? [] : [...(hits.length > 0 ? [''] : []), note]),
  ].join('\n')
}

function hitLines(hit: KnowledgeHit, out: NodeJS.WriteStream): string[] {
  const { citation, score, position, passage_id, signals } = hit
  const why = signals.length === 0 ? '' : `: ${signals.map(({ signal, share }) => `${signalText(signal)} ${percent(share)}`).join(', ')}`
  return [
    styled('bold', escapeControls(citation), out),
    ...(position.headings.length === 0 ? [] : [`  ${singleLine(position.headings.join(' > '), 200)}`]),
    `  ${excerptText(hit, out)}`,
    `  score ${percent(score)}${why}`,
    `  passage ${escapeControls(passage_id)}`,
  ]
}

/** What adds to the score of a passage. */
const signalTexts: Readonly<Record<string, string>> = {
  text: 'its words',
  group: 'the rest of the document',
  neighbors: 'the text around it',
  characters: 'similar spelling',
  meaning: 'its meaning',
}

function signalText(signal: string): string {
  return Object.hasOwn(signalTexts, signal) ? (signalTexts[signal] ?? signal) : escapeControls(signal)
}

/** On one line, with the matches in bold. */
export function excerptText({ excerpt, marks }: Pick<KnowledgeHit, 'excerpt' | 'marks'>, out: NodeJS.WriteStream): string {
  const flat = (piece: string) => escapeControls(piece.replace(/\s+/g, ' '))
  let at = 0
  const pieces = marks.flatMap(({ from, to }) => {
    const before = excerpt.slice(at, from)
    at = to
    return [flat(before), styled('bold', flat(excerpt.slice(from, to)), out)]
  })
  return [...pieces, flat(excerpt.slice(at))].join('').trim()
}
