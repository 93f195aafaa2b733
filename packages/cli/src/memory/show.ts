import type { CommandResult } from '@tandem/contract/command'
import type { Distiller, Memory, MemorySourceType, Procedure } from '@tandem/contract/memory'
import { type AgentNames, agentNames, ownerOf } from '../command/agents.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId, json } from '../terminal/options.ts'
import { counted, percent } from '../terminal/quantity.ts'
import { styled } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { answered } from './answer.ts'
import { listMemories } from './arguments.ts'
import { memoryRow, stateOf, stateText, subjectText } from './text.ts'

export const showUsage = explainedUsage(
  'tandem memory show ID [--json]',
  'Shows a memory with its sources, its earlier versions, related memories and, if it is not used, the reason.',
)

/** A memory with everything that explains it. */
export async function show(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, showUsage)
  if (!given.ok) return given.code
  const [memory_id, ...more] = given.words
  if (!isId(memory_id) || more.length > 0) return printUsage(`specify one memory by its id. ${listMemories}`, showUsage)
  return await withRuntimeClient(process.cwd(), (client) =>
    answered(client, 'memory_get', { memory_id }, given.values.json, async (result) => detailText(result, await agentNames(client))),
  )
}

const learnedFrom: Record<MemorySourceType, string> = {
  bootstrap: "from the agent's description",
  user_statement: 'you said it',
  user_correction: 'from your correction',
  tool_call: 'saved by the agent',
  memory_flush: 'found in a conversation',
  heartbeat_review: 'found in a review',
  memory_writeback: 'suggested after a run',
  distillation: 'learned from runs that went well',
}

function detailText(result: CommandResult<'memory_get'>, names: AgentNames): string {
  const { memory, versions, related, sources, decisions, not_used_because } = result
  return [
    escapeControls(memory.content),
    '',
    table(factsOf(memory, not_used_because, names)),
    ...section(
      'Sources',
      sources.map(({ ts, conversation_title, excerpt, message_id }) => [
        ts === null ? 'the message is not on this device' : utcMinute(ts),
        singleLine(conversation_title ?? '', 40),
        `"${singleLine(excerpt, 200)}"`,
        `message ${message_id}`,
      ]),
    ),
    ...section(
      'Steps',
      memory.procedure?.steps.map(({ tool, shape, command }) => [escapeControls(tool), escapeControls(command ?? shape)]) ?? [],
    ),
    ...section(
      'Earlier versions',
      versions.map((earlier) => [`${earlier.version}`, utcMinute(earlier.updated_at), stateOf(earlier), singleLine(earlier.content, 120)]),
    ),
    ...section(
      'Related memories',
      related.map((other) => [relation(memory, other), ...memoryRow(other, names)]),
    ),
    ...section(
      'Your decisions',
      decisions.map(({ created_at, kept_memory_id, over_memory_ids }) => [
        utcMinute(created_at),
        `kept ${kept_memory_id} over ${over_memory_ids.join(', ')}`,
      ]),
    ),
  ].join('\n')
}

function factsOf(memory: Memory, notUsed: string | null, names: AgentNames): string[][] {
  const { confidence, confirmed_by_user, expires_at, last_used_at, use_count, only_in_conversation } = memory
  return [
    ['id', memory.id],
    ['kind', `${memory.memory_kind}, ${subjectText(memory.subject)}`],
    ['for', `${ownerOf(memory.agent_id, names)}${only_in_conversation ? `, only in conversation ${memory.conversation_id}` : ''}`],
    ['state', stateText(memory)],
    ...(notUsed === null ? [] : [['not used', escapeControls(notUsed)]]),
    ['learned', `${utcMinute(memory.created_at)}, ${learnedFrom[memory.source_type]}`],
    ['confidence', `${percent(confidence)}${confirmed_by_user ? ', confirmed by you' : ''}`],
    ['expires', expires_at === null ? 'never' : utcMinute(expires_at)],
    ['used', last_used_at === null ? 'never' : `${counted(use_count, 'time')}, last ${utcMinute(last_used_at)}`],
    ...(memory.procedure ? procedureFacts(memory.procedure) : []),
    ['version', `${memory.version}`],
  ]
}

const distilledBy: Record<Distiller, string> = { heuristic: 'by local rules', llm: 'by your model' }

function procedureFacts({ distiller, fallback_reason, successes, failures }: Procedure): string[][] {
  const fallback = fallback_reason === undefined ? '' : `; your model's version was not used: ${escapeControls(fallback_reason)}`
  return [
    ['written', `${distilledBy[distiller]}${fallback}`],
    ['runs', `${successes} went well, ${failures} did not`],
  ]
}

function relation(memory: Memory, other: Memory): string {
  if (memory.conflicts_with.includes(other.id)) return 'contradicts'
  return memory.supersedes.includes(other.id) ? 'supersedes' : 'superseded by'
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', styled('bold', title, process.stdout), table(rows)]
}
