// `tandem evolution list`, `show` and `advance`: what is proposed, and how far each proposal is.
import { recommendationKinds, skillRecommendationStates } from '@tandem/contract/skill-recommendation'
import { agentNames, ownerOf } from '../command/agents.ts'
import { listed } from '../command/listing.ts'
import { agentFilter, listOptions } from '../learning/arguments.ts'
import { words } from '../learning/text.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { json, limitOf, limitProblem, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { oneIdProblem, stepFor } from './arguments.ts'
import { shownLines, subjectOf } from './text.ts'

export const listUsage = explainedUsage(
  'tandem evolution [list] [--agent NAME] [--state STATE] [--kind KIND] [--limit N] [--json]',
  'Lists recommendations, newest first.',
  `STATE is one of ${skillRecommendationStates.join(', ')}.`,
  `KIND is one of ${recommendationKinds.join(', ')}.`,
)
export const showUsage = explainedUsage(
  'tandem evolution show ID [--json]',
  'Shows a recommendation: why it was made, its text, how runs with it went, what can be done now, and what happened to it.',
)
export const advanceUsage = explainedUsage(
  'tandem evolution advance [--agent NAME] [--json]',
  'Takes every recommendation as far as it may go without you: one round of the scheduler.',
)

export async function list(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { ...listOptions, state: text, kind: text }, listUsage)
  if (!given.ok) return given.code
  const { values } = given
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, listUsage)
  const state = skillRecommendationStates.find((one) => one === values.state)
  if (values.state !== undefined && !state) return printUsage(`--state must be one of ${skillRecommendationStates.join(', ')}`, listUsage)
  const kind = recommendationKinds.find((one) => one === values.kind)
  if (values.kind !== undefined && !kind) return printUsage(`--kind must be one of ${recommendationKinds.join(', ')}`, listUsage)
  const limit = limitOf(values.limit)
  if (limit === null) return printUsage(limitProblem, listUsage)
  const wanted = { ...(state ? { states: [state] } : {}), ...(kind ? { kinds: [kind] } : {}) }
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, values.agent)
    if (!of.ok) return refused(of.error)
    return await listed({
      ...{
        limit,
        json: values.json,
        none: 'There are no recommendations. One is made when you repeat something in three runs on two days.',
      },
      page: (paging) => client.call('skill_list_recommendations', { ...of.value, ...wanted, ...paging }),
      async rows(items) {
        const names = await agentNames(client)
        const rows = items.map((one) => [
          ...[one.id, words(one.state), one.asks === null ? '-' : 'yes', subjectOf(one), ownerOf(one.agent_id, names)],
          singleLine(one.title, 200),
        ])
        return [['id', 'state', 'needs you', 'proposes', 'agent', 'title'], ...rows]
      },
    })
  })
}

export async function show(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, showUsage)
  if (!given.ok) return given.code
  const [recommendation_id = ''] = given.words
  const problem = oneIdProblem('recommendation', given.words)
  if (problem) return printUsage(problem, showUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('skill_get_recommendation', { recommendation_id })
    if (!answer.ok) return refused(answer.error, stepFor(answer.error))
    console.log(given.values.json ? JSON.stringify(answer.value) : shownLines(answer.value).join('\n'))
    return 0
  })
}

export async function advance(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, json }, advanceUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, advanceUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, given.values.agent)
    if (!of.ok) return refused(of.error)
    const answer = await client.call('learning_advance_candidates', of.value)
    if (!answer.ok) return refused(answer.error)
    const { skill_recommendations: changed } = answer.value
    const lines = changed.map((one) => `${one.id}  ${words(one.state)}  ${singleLine(one.title, 160)}`)
    const said = [`${counted(changed.length, 'recommendation')} changed.`, ...lines].join('\n')
    console.log(given.values.json ? JSON.stringify(answer.value) : said)
    return 0
  })
}
