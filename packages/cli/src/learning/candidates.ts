// `tandem learning candidates`: changes of policies that recorded calls suggest, and what a person decides about them.
import type { CommandResult } from '@tandem/contract/command'
import { type PolicyCandidateValidation, type PolicyDivergence, policyCandidateStates } from '@tandem/contract/policy-candidate'
import { agentNames, ownerOf } from '../command/agents.ts'
import { listed } from '../command/listing.ts'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { flag, idProblem, limitOf, limitProblem, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { codeText, refused } from '../terminal/refusal.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { agentFilter, listOptions, stepFor } from './arguments.ts'
import { candidateLines, stateOf, validationLines, words } from './text.ts'

export const candidatesUsage = joinUsages(
  explainedUsage(
    'tandem learning candidates [--agent NAME] [--state STATE] [--limit N] [--json]',
    `Lists the policy candidates, newest first. STATE is one of ${policyCandidateStates.join(', ')}.`,
  ),
  explainedUsage('tandem learning candidates show ID [--json]', 'Shows what it changes, why, and everything that happened to it.'),
  explainedUsage('tandem learning candidates validate ID [--json]', 'Tests it on recorded calls, without any effect. shadow is the same.'),
  explainedUsage('tandem learning candidates prepare ID [--json]', 'Makes one that passed its test ready to be applied.'),
  explainedUsage(
    'tandem learning candidates apply ID [--yes] [--json]',
    'Applies it on trial, on this device. A later failure of a run with it undoes it. --yes: without a question, even if it allows more.',
  ),
  explainedUsage('tandem learning candidates keep ID [--json]', 'Makes one on trial part of the policy. Later failures no longer undo it.'),
  explainedUsage('tandem learning candidates rollback ID [--reason TEXT] [--json]', 'Undoes it, or rejects one that was not applied.'),
  explainedUsage('tandem learning candidates round [--agent NAME] [--json]', 'Runs one round of the scheduler now.'),
)

const actions = {
  validate: 'agent_run_validate_policy_candidate_shadow',
  shadow: 'agent_run_validate_policy_candidate_shadow',
  prepare: 'agent_run_prepare_policy_candidate_canary',
  apply: 'agent_run_apply_policy_candidate_canary',
  keep: 'learning_keep_policy_candidate',
  rollback: 'agent_run_rollback_policy_candidate',
} as const
type Action = keyof typeof actions

const options = { ...listOptions, state: text, reason: text, yes: flag } as const

export async function candidates(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, candidatesUsage)
  if (!given.ok) return given.code
  const { json, agent, reason, yes } = given.values
  const [verb, candidate_id, ...more] = given.words
  if (reason !== undefined && verb !== 'rollback') return printUsage('--reason is only valid with rollback', candidatesUsage)
  if (yes && verb !== 'apply') return printUsage('--yes is only valid with apply', candidatesUsage)
  if (verb === undefined || verb === 'round') {
    if (candidate_id !== undefined) return printUsage(`unexpected argument "${candidate_id}"`, candidatesUsage)
    return verb === undefined ? await list(given.values) : await withRuntimeClient(process.cwd(), (client) => round(client, agent, json))
  }
  if (verb !== 'show' && !isAction(verb))
    return printUsage(`unknown action "${verb}": choose one of show, ${Object.keys(actions).join(', ')}, round`, candidatesUsage)
  if (candidate_id === undefined || more.length > 0) return printUsage('specify one policy candidate', candidatesUsage)
  const problem = idProblem('ID', candidate_id)
  if (problem) return printUsage(problem, candidatesUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    if (verb === 'show') return await show(client, candidate_id, json)
    if (verb === 'apply' && !yes) {
      const allowed = await mayApply(client, candidate_id)
      if (allowed !== 0) return allowed
    }
    return await act(client, verb, { candidate_id, reason: reason ?? '' }, json)
  })
}

async function list(said: { agent?: string; state?: string; limit: string; json: boolean }): Promise<number> {
  const state = policyCandidateStates.find((one) => one === said.state)
  if (said.state !== undefined && !state) return printUsage(`--state must be one of ${policyCandidateStates.join(', ')}`, candidatesUsage)
  const limit = limitOf(said.limit)
  if (limit === null) return printUsage(limitProblem, candidatesUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, said.agent)
    if (!of.ok) return refused(of.error)
    return await listed({
      ...{ limit, json: said.json, none: 'There are no policy candidates.' },
      page: (paging) => client.call('agent_run_list_policy_candidates', { ...of.value, ...(state ? { states: [state] } : {}), ...paging }),
      async rows(items) {
        const names = await agentNames(client)
        const rows = items.map((one) => [
          ...[one.id, stateOf(one), one.widens ? 'allows more' : 'restricts', ownerOf(one.agent_id, names)],
          singleLine(one.title, 200),
        ])
        return [['id', 'state', 'effect', 'agent', 'change'], ...rows]
      },
    })
  })
}

async function show(client: RuntimeClient, candidate_id: string, json: boolean): Promise<number> {
  const answer = await client.call('agent_run_get_policy_candidate', { candidate_id })
  if (!answer.ok) return refused(answer.error, stepFor(answer.error))
  const { candidate, validations } = answer.value
  if (!json) {
    console.log([...candidateLines(candidate), ...validations.flatMap(validationLines)].join('\n'))
    return 0
  }
  const all: PolicyCandidateValidation[] = []
  for (const validation of validations) {
    const divergences = await divergencesOf(client, validation)
    if (!divergences.ok) return refused(divergences.error)
    all.push({ ...validation, divergences: divergences.value })
  }
  console.log(JSON.stringify({ candidate, validations: all }))
  return 0
}

/** A validation has the first ones. */
async function divergencesOf(
  client: RuntimeClient,
  { id: validation_id, divergences, divergence_count }: PolicyCandidateValidation,
): Promise<CommandAnswer<PolicyDivergence[]>> {
  if (divergences.length === divergence_count) return { ok: true, value: divergences }
  const all: PolicyDivergence[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: CommandAnswer<CommandResult<'learning_list_policy_divergences'>> = await client.call('learning_list_policy_divergences', {
      ...{ validation_id, limit: 200 },
      ...(cursor === undefined ? {} : { cursor }),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  }
  return { ok: true, value: all }
}

/** One that allows more is applied only if the user has seen what it changes. 0, or the exit code. */
async function mayApply(client: RuntimeClient, candidate_id: string): Promise<number> {
  const found = await client.call('agent_run_get_policy_candidate', { candidate_id })
  if (!found.ok) return refused(found.error, stepFor(found.error))
  if (!found.value.candidate.widens) return 0
  console.error(candidateLines(found.value.candidate).join('\n'))
  const answer = await confirm('It allows more than the current policy. Apply it?')
  if (answer === 'yes') return 0
  if (answer === 'no') console.error('tandem: it was not applied')
  else {
    console.error(`tandem: it allows more than the current policy and needs your confirmation${codeText('consent_needed')}`)
    console.error('        Read what it changes above, then add --yes.')
  }
  return answer === 'no' ? exitCodes.failed : exitCodes.paused
}

async function act(
  client: RuntimeClient,
  verb: Action,
  { candidate_id, reason }: { candidate_id: string; reason: string },
  json: boolean,
): Promise<number> {
  const answer =
    verb === 'rollback'
      ? await client.call('agent_run_rollback_policy_candidate', { candidate_id, reason })
      : await client.call(actions[verb], { candidate_id })
  if (!answer.ok) return refused(answer.error, stepFor(answer.error))
  const { candidate } = answer.value
  const summary = 'validation' in answer.value ? ` ${singleLine(answer.value.validation.summary, 400)}` : ''
  console.log(json ? JSON.stringify(answer.value) : `It is ${stateOf(candidate)} now.${summary}`)
  return 0
}

function isAction(verb: string): verb is Action {
  return Object.hasOwn(actions, verb)
}

async function round(client: RuntimeClient, agent: string | undefined, json: boolean): Promise<number> {
  const of = await agentFilter(client, agent)
  if (!of.ok) return refused(of.error)
  const answer = await client.call('learning_advance_candidates', of.value)
  if (!answer.ok) return refused(answer.error)
  const { policy_candidates: changed } = answer.value
  const lines = changed.map((one) => `${one.id}  ${words(one.state)}  ${singleLine(one.title, 160)}`)
  console.log(json ? JSON.stringify(answer.value) : [`${counted(changed.length, 'policy candidate')} changed.`, ...lines].join('\n'))
  return 0
}
