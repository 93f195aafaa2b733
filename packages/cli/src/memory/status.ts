// `tandem memory status` and `remember`: what memory does here, and what it leaves out.
import type { CommandResult } from '@tandem/contract/command'
import { memoryDropReasonTexts } from '@tandem/contract/memory'
import { type AgentNames, agentNames, ownerOf } from '../command/agents.ts'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { agentChoiceLines } from './agent-choices.ts'
import { answered } from './answer.ts'
import { progressText } from './review-progress.ts'

export const statusUsage = explainedUsage(
  'tandem memory status [--json]',
  'Shows how many memories there are, the tokens that your model used in the background today, reviews that are running, and the state of the search index.',
)
export const rememberUsage = explainedUsage(
  'tandem memory remember on|off --agent NAME | --conversation ID [--json]',
  'Turns remembering on or off for an agent or a conversation. While it is off, memories are not used there either, and what was learned only in that conversation is archived.',
)

export async function status(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, statusUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, statusUsage)
  return await withRuntimeClient(process.cwd(), (client) =>
    answered(client, 'memory_status', {}, given.values.json, async (result) => {
      const settings = await client.call('runtime_get_settings', {})
      const names = await agentNames(client)
      return statusText(result, names, settings.ok ? agentChoiceLines(settings.value.settings, names) : [])
    }),
  )
}

export async function remember(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, conversation: text, json }, rememberUsage)
  if (!given.ok) return given.code
  const { agent, conversation } = given.values
  const [word, ...more] = given.words
  if ((word !== 'on' && word !== 'off') || more.length > 0) return printUsage('choose on or off', rememberUsage)
  if ((agent === undefined) === (conversation === undefined)) return printUsage('specify --agent or --conversation', rememberUsage)
  const problem = idProblem('--conversation', conversation)
  if (problem) return printUsage(problem, rememberUsage)
  const isOn = word === 'on'
  return await withRuntimeClient(process.cwd(), async (client) => {
    const id = conversation === undefined ? await resolveAgent(client, agent) : ({ ok: true, value: conversation } as const)
    if (!id.ok) return refused(id.error)
    const kind = conversation === undefined ? 'agent' : 'conversation'
    const of = conversation === undefined ? `the agent ${escapeControls(agent ?? id.value)}` : `the conversation ${conversation}`
    return await answered(client, 'memory_set_remembering', { kind, id: id.value, remember: isOn }, given.values.json, () =>
      isOn ? `Remembering is on for ${of}.` : `Remembering is off for ${of}.`,
    )
  })
}

function statusText(status: CommandResult<'memory_status'>, names: AgentNames, choices: readonly string[]): string {
  const { memories, background, running_reviews, search_index, excluded, dropped, notes } = status
  const { active, superseded, archived, to_review, conflicts, expiring_soon } = memories
  const { enabled, tokens_today, daily_tokens, model } = background
  const spent = `${tokens_today.toLocaleString('en-US')} of ${counted(daily_tokens, 'token')} used today`
  return [
    `${counted(active, 'active memory', 'active memories')}, ${superseded} superseded, ${archived} archived.`,
    ...(to_review > 0 ? [`${to_review} to review: tandem memory list --to-review`] : []),
    ...(conflicts > 0 ? [`${conflicts} in conflict: tandem memory list --conflicts`] : []),
    ...(expiring_soon > 0 ? [`${counted(expiring_soon, 'expires', 'expire')} soon: tandem memory list --expires-soon`] : []),
    `Background model: ${enabled ? `${model === null ? 'none' : escapeControls(model)}, ${spent}` : 'off'}.`,
    ...excluded.agents.map((id) => `Remembering is off for the agent ${ownerOf(id, names)}.`),
    ...excluded.conversations.map((id) => `Remembering is off for the conversation ${id}.`),
    ...choices,
    ...dropped.map(({ reason, count }) => `${counted(count, 'proposal')} dropped in 30 days: ${memoryDropReasonTexts[reason]}.`),
    ...running_reviews.map((one) => `${ownerOf(one.agent_id, names)}: ${progressText(one)}`),
    ...searchIndexLines(search_index),
    ...notes.map(escapeControls),
  ].join('\n')
}

function searchIndexLines({ texts, waiting, problem }: CommandResult<'memory_status'>['search_index']): string[] {
  const behind = waiting > 0 ? `, ${counted(waiting, 'change')} not indexed yet` : ''
  return [
    texts === null ? `Search index: not responding${behind}.` : `Search index: ${counted(texts, 'text')}${behind}.`,
    ...(problem === null ? [] : [`Search problem: ${escapeControls(problem.message)}`, `  ${escapeControls(problem.remedy)}`]),
  ]
}
