// `tandem evolution traces`, `gaps` and `dismiss`: what users repeat, and what is missing.
import { gapKinds, type SkillGapAnalysis } from '@tandem/contract/learning'
import { agentNames, ownerOf } from '../command/agents.ts'
import { listed } from '../command/listing.ts'
import { agentFilter, listOptions } from '../learning/arguments.ts'
import { words } from '../learning/text.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { json, limitOf, limitProblem, text } from '../terminal/options.ts'
import { percent } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { oneIdProblem, stepFor } from './arguments.ts'
import { foundText, resultText } from './text.ts'

export const tracesUsage = explainedUsage(
  'tandem evolution traces [--agent NAME] [--limit N] [--json]',
  'Lists what was found in runs, the latest first: calls that repeat, repeated requests, and what you fixed by hand.',
)
export const gapsUsage = explainedUsage(
  'tandem evolution gaps [--agent NAME] [--kind KIND] [--limit N] [--json]',
  `Lists what is missing and what came of it, newest first. KIND is one of ${gapKinds.join(', ')}.`,
  'Decide about a memory candidate with tandem learning memories, about a policy candidate with tandem learning candidates, and add a proposed source with tandem kb add.',
)
export const dismissUsage = explainedUsage(
  'tandem evolution dismiss ID [--json]',
  'Dismisses a gap, retires its recommendation and withdraws what it proposed and you have not decided about. It is found again only if it is repeated twice as often.',
)

export async function traces(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, listOptions, tracesUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, tracesUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, tracesUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, given.values.agent)
    if (!of.ok) return refused(of.error)
    return await listed({
      ...{ limit, json: given.values.json, none: 'There are no traces yet. Each run is searched when it has ended.' },
      page: (paging) => client.call('skill_list_behavior_traces', { ...of.value, ...paging }),
      async rows(items) {
        const names = await agentNames(client)
        const rows = items.map((one) => [utcMinute(one.created_at), one.run_id, ownerOf(one.agent_id, names), foundText(one)])
        return [['time', 'run', 'agent', 'found'], ...rows]
      },
    })
  })
}

export async function gaps(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { ...listOptions, kind: text }, gapsUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, gapsUsage)
  const kind = gapKinds.find((one) => one === given.values.kind)
  if (given.values.kind !== undefined && !kind) return printUsage(`--kind must be one of ${gapKinds.join(', ')}`, gapsUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, gapsUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, given.values.agent)
    if (!of.ok) return refused(of.error)
    return await listed({
      ...{
        limit,
        json: given.values.json,
        none: 'There are no gaps. One is recorded when you repeat something in three runs on two days.',
      },
      page: (paging) => client.call('skill_list_gap_analyses', { ...of.value, ...(kind ? { gap_kinds: [kind] } : {}), ...paging }),
      async rows(items) {
        const names = await agentNames(client)
        const rows = items.map((one) => [
          ...[one.id, words(one.gap_kind), String(one.repetitions), percent(one.confidence), ownerOf(one.agent_id, names)],
          ...[resultText(one), singleLine(one.summary, 200)],
        ])
        return [['id', 'kind', 'times', 'confidence', 'agent', 'led to', 'missing'], ...rows]
      },
    })
  })
}

export async function dismiss(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, dismissUsage)
  if (!given.ok) return given.code
  const [gap_analysis_id = ''] = given.words
  const problem = oneIdProblem('gap', given.words)
  if (problem) return printUsage(problem, dismissUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('skill_dismiss_gap_analysis', { gap_analysis_id })
    if (!answer.ok) return refused(answer.error, stepFor(answer.error))
    const { recommendation, gap } = answer.value
    const retired = recommendation ? ` Its recommendation is ${words(recommendation.state)}: ${singleLine(recommendation.title, 160)}` : ''
    const withdrawn = isWithdrawn(gap) ? ' What it proposed was withdrawn.' : ''
    console.log(given.values.json ? JSON.stringify(answer.value) : `It was dismissed.${retired}${withdrawn}`)
    return 0
  })
}

/** What a person has decided about stays. */
function isWithdrawn({ led_to }: SkillGapAnalysis): boolean {
  if (led_to?.kind === 'memory') return led_to.state === 'dismissed'
  return led_to?.kind === 'policy' && (led_to.state === 'shadow_failed' || led_to.state === 'rolled_back')
}
