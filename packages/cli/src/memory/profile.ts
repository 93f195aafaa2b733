// `tandem memory profile` and `identity`: what an agent knows about the user, and about itself.
import type { AgentIdentityProfile, Signal, UserModel } from '@tandem/contract/memory'
import { agentFor } from '../command/policy.ts'
import { withDesk } from '../desk/open.ts'
import { parsed, sayUsage } from '../terminal/args.ts'
import { line, visible } from '../terminal/plain.ts'
import { styled } from '../terminal/style.ts'
import { answered } from './answer.ts'
import { idProblem, json, text } from './arguments.ts'
import { percent, refused, words } from './text.ts'

export const profileUsage = 'tandem memory profile [--agent NAME] [--json]'
export const identityUsage = 'tandem memory identity [--agent NAME] [--conversation ID] [--json]'

export async function profile(args: readonly string[]): Promise<number> {
  const given = parsed(args, { agent: text, json }, profileUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return sayUsage(`unexpected argument "${given.words[0]}"`, profileUsage)
  return await withDesk(process.cwd(), async (desk) => {
    const agent_id = await agentFor(desk, given.values.agent)
    if (!agent_id.ok) return refused(agent_id.error)
    return await answered(desk, 'memory_get_user_model', { agent_id: agent_id.value }, given.values.json, ({ user_model }) =>
      profileText(user_model),
    )
  })
}

export async function identity(args: readonly string[]): Promise<number> {
  const given = parsed(args, { agent: text, conversation: text, json }, identityUsage)
  if (!given.ok) return given.code
  const { agent, conversation } = given.values
  if (given.words.length > 0) return sayUsage(`unexpected argument "${given.words[0]}"`, identityUsage)
  const problem = idProblem('--conversation', conversation)
  if (problem) return sayUsage(problem, identityUsage)
  return await withDesk(process.cwd(), async (desk) => {
    const agent_id = await agentFor(desk, agent)
    if (!agent_id.ok) return refused(agent_id.error)
    const params = { agent_id: agent_id.value, ...(conversation === undefined ? {} : { conversation_id: conversation }) }
    return await answered(desk, 'memory_get_identity_profile', params, given.values.json, ({ identity_profile }) =>
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
    { title: 'Person', ...persona_profile },
    { title: 'Communication', ...communication_profile },
    { title: 'Time of work', ...cadence_profile },
    { title: 'Risk', ...risk_profile },
  ].filter(({ summary, signals }) => summary !== '' || signals.length > 0)
  if (parts.length === 0) return 'Nothing is known about you yet.'
  return parts
    .map(({ title, summary, signals }) =>
      [styled('bold', title, process.stdout), ...(summary === '' ? [] : [`  ${visible(summary)}`]), ...signalLines(signals)].join('\n'),
    )
    .join('\n\n')
}

function identityText({ name, role, purpose, tone, principles, boundaries, signals }: AgentIdentityProfile): string {
  const several = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((one) => `  ${visible(one)}`)]
  return [
    `${visible(name)}, ${visible(role)}`,
    ...(purpose === '' ? [] : [visible(purpose)]),
    ...(tone === null ? [] : [`Tone: ${visible(tone)}`]),
    ...several('Principles', principles),
    ...several('Boundaries', boundaries),
    ...(signals.length === 0 ? [] : ['Learned', ...signalLines(signals)]),
  ].join('\n')
}

/** Each with what supports it. */
function signalLines(signals: readonly Signal[]): string[] {
  return signals.flatMap(({ name, value, confidence, evidence }) => [
    `  ${words(line(name, 60))}: ${line(value, 200)} (${percent(confidence)})`,
    ...evidence.map(({ source, id, excerpt }) => `    ${words(source)} ${visible(id)}: "${line(excerpt, 120)}"`),
  ])
}
