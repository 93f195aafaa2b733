// `tandem memory profile` and `identity`: what an agent knows about the user, and about itself.
import type { AgentIdentityProfile, Signal, UserModel } from '@tandem/contract/memory'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json, text } from '../terminal/options.ts'
import { percent } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { styled } from '../terminal/style.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { answered } from './answer.ts'
import { words } from './text.ts'

export const profileUsage = explainedUsage('tandem memory profile [--agent NAME] [--json]', 'Shows what an agent knows about you.')
export const identityUsage = explainedUsage(
  'tandem memory identity [--agent NAME] [--conversation ID] [--json]',
  'Shows what an agent knows about itself.',
)

export async function profile(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, json }, profileUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, profileUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await resolveAgent(client, given.values.agent)
    if (!agent_id.ok) return refused(agent_id.error)
    return await answered(client, 'memory_get_user_model', { agent_id: agent_id.value }, given.values.json, ({ user_model }) =>
      profileText(user_model),
    )
  })
}

export async function identity(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, conversation: text, json }, identityUsage)
  if (!given.ok) return given.code
  const { agent, conversation } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, identityUsage)
  const problem = idProblem('--conversation', conversation)
  if (problem) return printUsage(problem, identityUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await resolveAgent(client, agent)
    if (!agent_id.ok) return refused(agent_id.error)
    const params = { agent_id: agent_id.value, ...(conversation === undefined ? {} : { conversation_id: conversation }) }
    return await answered(client, 'memory_get_identity_profile', params, given.values.json, ({ identity_profile }) =>
      identityText(identity_profile),
    )
  })
}

function profileText(model: UserModel): string {
  const { habit_profile, goal_profile, persona_profile, communication_profile, cadence_profile, risk_profile } = model
  const parts = [
    { title: 'Preferences', summary: '', signals: model.preference_signals },
    { title: 'Habits', ...habit_profile },
    { title: 'Goals', ...goal_profile },
    { title: 'Background', ...persona_profile },
    { title: 'Communication', ...communication_profile },
    { title: 'Schedule', ...cadence_profile },
    { title: 'Precautions', ...risk_profile },
  ].filter(({ summary, signals }) => summary !== '' || signals.length > 0)
  if (parts.length === 0) return 'Nothing is known about you yet.'
  return parts
    .map(({ title, summary, signals }) =>
      [styled('bold', title, process.stdout), ...(summary === '' ? [] : [`  ${escapeControls(summary)}`]), ...signalLines(signals)].join(
        '\n',
      ),
    )
    .join('\n\n')
}

function identityText({ name, role, purpose, tone, principles, boundaries, signals }: AgentIdentityProfile): string {
  const several = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((one) => `  ${escapeControls(one)}`)]
  return [
    `${escapeControls(name)}, ${escapeControls(role)}`,
    ...(purpose === '' ? [] : [escapeControls(purpose)]),
    ...(tone === null ? [] : [`Tone: ${escapeControls(tone)}`]),
    ...several('Principles', principles),
    ...several('Boundaries', boundaries),
    ...(signals.length === 0 ? [] : ['Learned', ...signalLines(signals)]),
  ].join('\n')
}

/** Each with what supports it. */
function signalLines(signals: readonly Signal[]): string[] {
  return signals.flatMap(({ name, value, confidence, evidence }) => [
    `  ${words(singleLine(name, 60))}: ${singleLine(value, 200)} (${percent(confidence)})`,
    ...evidence.map(({ source, id, excerpt }) => `    ${words(source)} ${escapeControls(id)}: "${singleLine(excerpt, 120)}"`),
  ])
}
