// Calls a command, and prints its result as JSON or as text.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { everyAgent } from '../command/agents.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { table } from '../terminal/table.ts'
import { listMemories } from './arguments.ts'
import { type AgentNames, refused } from './text.ts'

export async function answered<Name extends CommandName>(
  client: RuntimeClient,
  name: Name,
  params: CommandParams<Name>,
  json: boolean,
  textOf: (result: CommandResult<Name>) => string | Promise<string>,
): Promise<number> {
  const answer = await client.call(name, params)
  if (!answer.ok) return refused(answer.error, answer.error.message.includes('no memory') ? listMemories : undefined)
  console.log(json ? JSON.stringify(answer.value) : await textOf(answer.value))
  return 0
}

interface Paging {
  readonly limit: number
  readonly cursor?: string
}

type Page<Item> = CommandAnswer<{ readonly items: readonly Item[]; readonly next_cursor: string | null }>

interface Listing<Item> {
  readonly limit: number
  readonly json: boolean
  /** Printed if there are no items. */
  readonly none: string
  page(paging: Paging): Promise<Page<Item>>
  rows(items: readonly Item[]): Promise<readonly (readonly string[])[]>
}

/** Pages of a list up to a limit; if there are more items, a hint says so. */
export async function listed<Item>({ limit, json, none, page, rows }: Listing<Item>): Promise<number> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const next: Page<Item> = await page({ limit: Math.min(200, limit - items.length), ...(cursor === null ? {} : { cursor }) })
    if (!next.ok) return refused(next.error)
    items.push(...next.value.items)
    cursor = next.value.next_cursor
  } while (cursor !== null && items.length < limit)
  if (json) for (const item of items) console.log(JSON.stringify(item))
  else console.log(items.length === 0 ? none : table(await rows(items)))
  if (cursor !== null) console.error('There are more. To list them, raise --limit.')
  return 0
}

/** Empty if the agents cannot be listed: their ids are shown instead. */
export async function agentNames(client: RuntimeClient): Promise<AgentNames> {
  const all = await everyAgent(client)
  return new Map(all.ok ? all.value.map(({ agent_id, agent }) => [agent_id, agent.name]) : [])
}
