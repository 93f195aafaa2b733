// The conversation of a run: a new one, or one that continues.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandError, CommandResult, Conversation } from '@tandem/contract/command'
import type { SandboxMode } from '@tandem/contract/tool'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'

/** The model and the sandbox of the next messages. Undefined: what the conversation has. */
export interface NextOptions {
  readonly model: string | undefined
  readonly sandbox_mode: SandboxMode | undefined
}

export const nothingChosen: NextOptions = { model: undefined, sandbox_mode: undefined }

export interface NewConversation {
  readonly workspace: string
  /** The first message: its first line is the title. */
  readonly text: string
  readonly agent_id?: string | undefined
  readonly model?: string | undefined
  readonly sandbox_mode?: SandboxMode | undefined
}

export async function createConversation(
  client: RuntimeClient,
  { workspace, text, agent_id, model, sandbox_mode }: NewConversation,
): Promise<CommandAnswer<Conversation>> {
  const title = text.trim().split('\n', 1)[0]?.slice(0, 100).trim() ?? ''
  const made = await client.call('conversation_create', {
    workspace,
    ...(title ? { title } : {}),
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(model === undefined ? {} : { model }),
    ...(sandbox_mode === undefined ? {} : { sandbox_mode }),
  })
  return made.ok ? { ok: true, value: made.value.conversation } : made
}

/** Most recently used first. `workspace` restricts them to those that work there; it may be a link to the folder. */
export async function listConversations(
  client: RuntimeClient,
  { limit, workspace, deleted = false }: { readonly limit: number; readonly workspace?: string | undefined; readonly deleted?: boolean },
): Promise<CommandAnswer<Conversation[]>> {
  const folder = workspace === undefined ? undefined : realFolder(workspace)
  const found: Conversation[] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<CommandResult<'conversation_list'>> = await client.call('conversation_list', {
      limit: 200,
      ...(deleted ? { deleted } : {}),
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return page
    found.push(...page.value.items.filter((one) => folder === undefined || one.workspace === folder))
    cursor = page.value.next_cursor
  } while (cursor && found.length < limit)
  return { ok: true, value: found.slice(0, limit) }
}

/** By its id, by the beginning of its id, or `last`. */
export async function findConversation(client: RuntimeClient, wanted: string): Promise<CommandAnswer<Conversation>> {
  const listed = await listConversations(client, { limit: 10_000 })
  if (!listed.ok) return listed
  const [newest] = listed.value
  if (wanted === 'last') return newest ? { ok: true, value: newest } : notFound('there are no conversations yet')
  const exact = listed.value.find(({ conversation_id }) => conversation_id === wanted)
  const found = exact ? [exact] : listed.value.filter(({ conversation_id }) => wanted.length >= 4 && conversation_id.startsWith(wanted))
  if (found[0] && found.length === 1) return { ok: true, value: found[0] }
  if (found.length > 1) return notFound(`${found.length} conversations have an id that begins with ${wanted}`)
  const one = await client.receive('conversation_get', { conversation_id: wanted })
  // An archived conversation is not listed.
  return one.ok
    ? { ok: true, value: (one.value as CommandResult<'conversation_get'>).conversation }
    : notFound(`there is no conversation ${wanted}`)
}

/** The newest one that works in this folder. */
export async function lastConversationIn(client: RuntimeClient, workspace: string): Promise<CommandAnswer<Conversation>> {
  const listed = await listConversations(client, { limit: 1, workspace })
  if (!listed.ok) return listed
  return listed.value[0] ? { ok: true, value: listed.value[0] } : notFound(`no conversation works in ${workspace} yet`)
}

/** As conversations name it. A folder that was removed keeps its path. */
function realFolder(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It does not exist any more, and its conversations are still found.
    return resolve(path)
  }
}

function notFound(message: string): { readonly ok: false; readonly error: CommandError } {
  return { ok: false, error: { code: 'not_found', message, remedy: 'List the conversations with tandem conversations.' } }
}
