import { outcomeVerdicts } from '@tandem/contract/learning'
import { agentNames, ownerOf } from '../command/agents.ts'
import { listed } from '../command/listing.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { limitOf, limitProblem, text } from '../terminal/options.ts'
import { percent } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { agentFilter, listOptions } from './arguments.ts'
import { reasons, recommendationLines, words } from './text.ts'

const verdicts = outcomeVerdicts.join('|')
export const outcomesUsage = explainedUsage(
  `tandem learning [outcomes] [--agent NAME] [--verdict ${verdicts}] [--limit N] [--json]`,
  'Lists how runs went, the latest first, with the main reason.',
)
export const reflectionsUsage = explainedUsage(
  'tandem learning reflections [--agent NAME] [--limit N] [--json]',
  'Lists what was learned from runs, the latest first: the root cause, and what is recommended.',
)

export async function outcomes(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { ...listOptions, verdict: text }, outcomesUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, outcomesUsage)
  const { agent, json, verdict: said } = given.values
  const verdict = outcomeVerdicts.find((one) => one === said)
  if (said !== undefined && !verdict) return printUsage(`--verdict must be one of ${outcomeVerdicts.join(', ')}`, outcomesUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, outcomesUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, agent)
    if (!of.ok) return refused(of.error)
    return await listed({
      ...{ limit, json, none: 'No runs were evaluated yet. A run is evaluated when it ends or is restored.' },
      page: (paging) => client.call('learning_list_evaluations', { ...of.value, ...(verdict ? { verdict } : {}), ...paging }),
      async rows(items) {
        const names = await agentNames(client)
        const rows = items.map((one) => [
          ...[utcMinute(one.created_at), one.verdict, percent(one.score), one.evaluator, ownerOf(one.agent_id, names), one.run_id],
          reasons(one)[0] ?? '',
        ])
        return [['ended', 'verdict', 'score', 'by', 'agent', 'run', 'main reason'], ...rows]
      },
    })
  })
}

export async function reflections(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, listOptions, reflectionsUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, reflectionsUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, reflectionsUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, given.values.agent)
    if (!of.ok) return refused(of.error)
    return await listed({
      ...{ limit, json: given.values.json, none: 'There are no reflections yet. There is one for each run that ends or is restored.' },
      page: (paging) => client.call('learning_list_reflections', { ...of.value, ...paging }),
      async rows(items) {
        const rows = items.map((one) => [
          ...[utcMinute(one.created_at), one.run_id, words(one.affected_subsystem), escapeControls(one.root_cause)],
          recommendationLines(one).join('; '),
        ])
        return [['time', 'run', 'affected', 'root cause', 'recommended'], ...rows]
      },
    })
  })
}
