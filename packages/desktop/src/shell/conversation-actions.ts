// What can be done with one line of the list, or with all selected ones. Branches belong to the line of their conversation.
import type { Conversation } from '@tandem/contract/command'
import type { RuntimeClient } from '../client/client.ts'
import { refreshAllWindows } from '../client/other-windows.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { askToDelete } from './deletion.ts'

/** The conversations of a line: what is done with it is done with all of them. */
export type Line = readonly Conversation[]

export async function pinLines(client: RuntimeClient, lines: readonly Line[], pinned: boolean): Promise<void> {
  await each(lines, async ({ conversation_id }) => {
    const answer = await client.call(navigationWords.list.doing.pin, 'conversation_pin', { conversation_id, pinned })
    return answer.ok
  })
  await refreshAllWindows(client)
}

export async function hideLines(client: RuntimeClient, lines: readonly Line[], hidden: boolean): Promise<void> {
  await each(lines, async ({ conversation_id }) => {
    const answer = await client.call(hidden ? words.doing.hide : words.doing.unhide, 'conversation_hide', { conversation_id, hidden })
    return answer.ok
  })
  await refreshAllWindows(client)
}

/** The runtime deletes the whole family of each. */
export function deleteLines(lines: readonly Line[]): void {
  const first = lines.flatMap((line) => line[0] ?? [])
  if (first[0]) askToDelete({ conversation_ids: first.map(({ conversation_id }) => conversation_id), title: first[0].title })
}

export async function restoreLines(client: RuntimeClient, lines: readonly Line[]): Promise<void> {
  const conversation_ids = lines.flat().map(({ conversation_id }) => conversation_id)
  if (conversation_ids.length > 0) await client.call(navigationWords.list.doing.restore, 'conversation_restore', { conversation_ids })
  await refreshAllWindows(client)
}

/** Until one is refused: the refusal is shown, and the rest stays as it is. */
async function each(lines: readonly Line[], act: (one: Conversation) => Promise<boolean>): Promise<void> {
  for (const one of lines.flat()) if (!(await act(one))) return
}
