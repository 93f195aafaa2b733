import type { Conversation, FoundConversation } from '@tandem/contract/command'
import { listConversations } from '../run/conversation.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { limitOf, limitProblem } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { utcMinute } from '../terminal/time.ts'
import { actionUsage, actOnConversations, isConversationAction } from './conversation-actions.ts'

const usage = joinUsages(
  explainedUsage(
    'tandem conversations [WORDS] [--workspace DIR] [--deleted] [--limit N] [--json]',
    'Lists conversations, most recently used first. Continue one with tandem chat --conversation ID or tandem run --conversation ID.',
    'WORDS: only those with these words in their title or messages. --workspace: only those that work in this folder.',
    '--deleted: only deleted ones, which can be restored. --limit: at most this many; the default is 20. --json: print one JSON object per line.',
  ),
  actionUsage,
)

/** `tandem conversations`: what can be continued. */
export async function conversations(args: readonly string[]): Promise<number> {
  const [action, ...rest] = args
  if (isConversationAction(action)) return await actOnConversations(action, rest)
  const given = parseArguments(
    args,
    {
      ...{ workspace: { type: 'string' }, limit: { type: 'string', default: '20' } },
      ...{ deleted: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    },
    usage,
  )
  if (!given.ok) return given.code
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, usage)
  const { json, workspace, deleted } = given.values
  const words = given.words.join(' ').trim()
  return await withRuntimeClient(process.cwd(), async (client) => {
    if (words !== '') return await search(client, words, limit, json)
    const listed = await listConversations(client, { limit, deleted, workspace })
    if (!listed.ok) return refused(listed.error)
    print(listed.value, json, rowOf)
    return 0
  })
}

async function search(client: RuntimeClient, query: string, limit: number, json: boolean): Promise<number> {
  const answer = await client.call('conversation_search', { query: query.slice(0, 200) })
  if (!answer.ok) return refused(answer.error)
  print(answer.value.found.slice(0, limit), json, foundRow)
  return 0
}

function print<Item>(items: readonly Item[], json: boolean, row: (item: Item) => string[]): void {
  if (json) for (const one of items) console.log(JSON.stringify(one))
  else if (items.length === 0) console.log('There are no conversations. Start one with tandem, or with tandem run "…".')
  else console.log(table(items.map(row)))
}

function rowOf({ conversation_id, updated_at, title, workspace, pinned }: Conversation): string[] {
  return [conversation_id, utcMinute(updated_at), pinned ? `${title} (pinned)` : title, workspace]
}

function foundRow({ conversation_id, updated_at, title, excerpt }: FoundConversation): string[] {
  return [conversation_id, utcMinute(updated_at), title, excerpt.slice(0, 100)]
}
