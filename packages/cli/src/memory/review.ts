// `tandem memory review` and `reviews`: what a look at recent conversations found.
import type { MemoryHeartbeatReview } from '@tandem/contract/memory'
import { agentNames, ownerOf } from '../command/agents.ts'
import { listed } from '../command/listing.ts'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json, limitOf, limitProblem, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { showReviewProgress } from './review-progress.ts'
import { resolutionLines, words } from './text.ts'

export const reviewUsage = explainedUsage(
  'tandem memory review [--agent NAME] [--conversation ID] [--json]',
  'Reviews recent conversations now, and remembers what matters.',
)
export const reviewsUsage = explainedUsage('tandem memory reviews [--agent NAME] [--limit N] [--json]', 'Lists earlier reviews.')

/** Reviews now, without waiting for the schedule. */
export async function review(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, conversation: text, json }, reviewUsage)
  if (!given.ok) return given.code
  const { agent, conversation } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, reviewUsage)
  const problem = idProblem('--conversation', conversation)
  if (problem) return printUsage(problem, reviewUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await resolveAgent(client, agent)
    if (!agent_id.ok) return refused(agent_id.error)
    const params = { agent_id: agent_id.value, ...(conversation === undefined ? {} : { conversation_id: conversation }) }
    const endProgress = showReviewProgress(client, agent_id.value)
    const answer = await client.call('memory_run_heartbeat_review', params).finally(endProgress)
    if (!answer.ok) return refused(answer.error)
    console.log(given.values.json ? JSON.stringify(answer.value) : reviewText(answer.value))
    return 0
  })
}

export async function reviews(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, limit: { type: 'string', default: '20' }, json }, reviewsUsage)
  if (!given.ok) return given.code
  const { agent } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, reviewsUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, reviewsUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = agent === undefined ? null : await resolveAgent(client, agent)
    if (agent_id && !agent_id.ok) return refused(agent_id.error)
    const of = agent_id ? { agent_id: agent_id.value } : {}
    return await listed({
      limit,
      json: given.values.json,
      none: 'There are no reviews yet. Start one with tandem memory review.',
      page: (paging) => client.call('memory_list_reviews', { ...of, ...paging }),
      async rows(items) {
        const names = await agentNames(client)
        return items.map((one) => [
          one.id,
          utcMinute(one.completed_at),
          ownerOf(one.agent_id, names),
          one.trigger === 'manual' ? 'started by you' : 'automatic',
          counted(one.messages_reviewed, 'message'),
          foundText(one),
        ])
      },
    })
  })
}

function reviewText(one: MemoryHeartbeatReview): string {
  return [
    ...(one.summary === '' ? [] : [escapeControls(one.summary)]),
    `Reviewed ${counted(one.messages_reviewed, 'message')}, found ${counted(one.memories_reviewed, 'memory', 'memories')}.`,
    ...Object.entries(one.extracted).flatMap(([kind, ids]) => (ids.length > 0 ? [`${words(kind)}: ${ids.join(', ')}`] : [])),
    ...resolutionLines(one.resolution),
  ].join('\n')
}

function foundText(one: MemoryHeartbeatReview): string {
  if (one.failure !== null) return `failed: ${singleLine(one.failure, 100)}`
  return one.memories_reviewed === 0 ? 'nothing new' : counted(one.memories_reviewed, 'new memory', 'new memories')
}
