// What can be done with one line of the list, or with all selected ones. Branches belong to the line of their conversation.
import type { Conversation } from '@tandem/contract/command'
import type { RuntimeClient } from '../client/client.ts'
import { idBatches } from '../client/id-batches.ts'
import type { CallResult } from '../connection/channel.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { askToDelete } from './deletion.ts'

/** The conversations of a line: what is done with it is done with all of them. */
export type Line = readonly Conversation[]

export async function pinLines(client: RuntimeClient, lines: readonly Line[], pinned: boolean): Promise<void> {
  const { doing } = navigationWords.list
  await each(client, doing.pin, lines, ({ conversation_id }) => client.call(doing.pin, 'conversation_pin', { conversation_id, pinned }))
}

export async function hideLines(client: RuntimeClient, lines: readonly Line[], hidden: boolean): Promise<void> {
  const doing = hidden ? words.doing.hide : words.doing.unhide
  await each(client, doing, lines, ({ conversation_id }) => client.call(doing, 'conversation_hide', { conversation_id, hidden }))
}

/** The runtime deletes the whole family of each. */
export function deleteLines(lines: readonly Line[]): void {
  const [title] = lines.flatMap(([first]) => first?.title ?? [])
  if (title !== undefined) askToDelete({ conversation_ids: firstOf(lines), title })
}

export async function restoreLines(client: RuntimeClient, lines: readonly Line[]): Promise<void> {
  await restore(client, firstOf(lines))
}

/** The runtime restores the whole family of each. Until one is refused; returns whether none was. */
export async function restore(client: RuntimeClient, conversation_ids: readonly string[]): Promise<boolean> {
  let isDone = true
  for (const batch of idBatches(conversation_ids)) {
    const answer = await client.call(navigationWords.list.doing.restore, 'conversation_restore', { conversation_ids: [...batch] })
    isDone = answer.ok
    if (!isDone) break
  }
  await client.refreshLists()
  return isDone
}

/** All conversations of a line, also those that the window has not read. */
export async function wholeFamily(client: RuntimeClient, line: Line): Promise<CallResult<Line>> {
  const { active, archived } = client.store.get().olderConversations
  return active || archived ? await client.readFamilies(firstOf([line])) : { ok: true, value: line }
}

/** Until one is refused: the refusal is shown, and the rest stays as it is. */
async function each(
  client: RuntimeClient,
  doing: string,
  lines: readonly Line[],
  act: (one: Conversation) => Promise<CallResult<unknown>>,
): Promise<void> {
  for (const line of lines) {
    const family = await wholeFamily(client, line)
    if (!family.ok) {
      client.showError(doing, family.error)
      break
    }
    if (!(await inTurn(family.value, act))) break
  }
  await client.refreshLists()
}

async function inTurn(line: Line, act: (one: Conversation) => Promise<CallResult<unknown>>): Promise<boolean> {
  for (const one of line) if (!(await act(one)).ok) return false
  return true
}

function firstOf(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(([first]) => first?.conversation_id ?? [])
}
