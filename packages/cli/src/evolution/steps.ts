// One step of a recommendation by hand. What makes agents use it shows it first and asks.

import { words } from '../learning/text.ts'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { flag, json, text } from '../terminal/options.ts'
import { codeText, refused } from '../terminal/refusal.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { oneIdProblem, stepFor } from './arguments.ts'
import { recommendationLines } from './text.ts'

export const stepsUsage = joinUsages(
  explainedUsage('tandem evolution draft ID [--json]', 'Writes the SKILL.md or the workflow that it proposes.'),
  explainedUsage('tandem evolution validate ID [--json]', 'Checks its text, and whether this device can run it.'),
  explainedUsage('tandem evolution prepare-shadow ID [--json]', 'Makes one that was validated ready for its shadow.'),
  explainedUsage('tandem evolution shadow ID [--json]', 'Starts its shadow: it is compared with runs, without any effect.'),
  explainedUsage('tandem evolution prepare-canary ID [--json]', 'Makes one that passed its shadow ready for its canary.'),
  explainedUsage(
    'tandem evolution canary ID [--yes] [--json]',
    'Starts its canary: half of the runs that it matches get it. --yes: without a question.',
  ),
  explainedUsage(
    'tandem evolution promote ID [--yes] [--json]',
    'Makes it live: every run of the agent gets it. --yes: without a question.',
  ),
  explainedUsage('tandem evolution rollback ID [--reason TEXT] [--json]', 'Returns to the previous version, or removes it from use.'),
  explainedUsage('tandem evolution retire ID [--reason TEXT] [--json]', 'Retires it permanently.'),
)

export const steps = {
  draft: 'skill_generate_recommendation_draft',
  validate: 'skill_validate_recommendation',
  'prepare-shadow': 'skill_prepare_recommendation_shadow',
  shadow: 'skill_apply_recommendation_shadow',
  'prepare-canary': 'skill_prepare_recommendation_canary',
  canary: 'skill_apply_recommendation_canary',
  promote: 'skill_promote_recommendation_to_live',
  rollback: 'skill_rollback_recommendation',
  retire: 'skill_retire_recommendation',
} as const
export type StepVerb = keyof typeof steps

const questions: Readonly<Partial<Record<StepVerb, string>>> = {
  canary: 'Use it in half of the runs that it matches?',
  promote: 'Use it in every run of the agent?',
}

export async function step(verb: StepVerb, args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { reason: text, yes: flag, json }, stepsUsage)
  if (!given.ok) return given.code
  const { reason, yes } = given.values
  if (reason !== undefined && verb !== 'rollback' && verb !== 'retire')
    return printUsage('--reason is only valid with rollback and retire', stepsUsage)
  const question = questions[verb]
  if (yes && question === undefined) return printUsage('--yes is only valid with canary and promote', stepsUsage)
  const [recommendation_id = ''] = given.words
  const problem = oneIdProblem('recommendation', given.words)
  if (problem) return printUsage(problem, stepsUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    if (question !== undefined && !yes) {
      const allowed = await mayDo(client, verb, recommendation_id, question)
      if (allowed !== 0) return allowed
    }
    const answer = await client.call(steps[verb], {
      recommendation_id,
      ...(reason === undefined && verb !== 'rollback' ? {} : { reason: reason ?? '' }),
    })
    if (!answer.ok) return refused(answer.error, stepFor(answer.error))
    const { recommendation, validation } = answer.value
    const said = `It is ${words(recommendation.state)} now. ${singleLine(validation.summary, 400)}`
    console.log(given.values.json ? JSON.stringify(answer.value) : said)
    // A validation that failed is an answer, not a refusal.
    return validation.outcome === 'failed' && verb === 'validate' ? exitCodes.failed : 0
  })
}

/** 0 if the user has seen it and agrees, or if it would be refused anyway; else the exit code. */
async function mayDo(client: RuntimeClient, verb: StepVerb, recommendation_id: string, question: string): Promise<number> {
  const found = await client.call('skill_get_recommendation', { recommendation_id })
  if (!found.ok) return refused(found.error, stepFor(found.error))
  const { recommendation, skill_version, actions } = found.value
  const action = verb === 'canary' ? 'apply_canary' : 'promote_to_live'
  if (actions.some((one) => one.action === action && !one.possible)) return 0
  console.error([...recommendationLines(recommendation), escapeControls(skill_version?.content ?? '').trimEnd()].join('\n'))
  const answer = await confirm(question)
  if (answer === 'yes') return 0
  if (answer === 'no') console.error('tandem: nothing was changed')
  else {
    console.error(`tandem: it needs your confirmation${codeText('consent_needed')}`)
    console.error('        Read it above, then add --yes.')
  }
  return answer === 'no' ? exitCodes.failed : exitCodes.paused
}
