// Previews and deletes any number of conversations: one command names only some of them.
import type { DeletionPreview } from '@tandem/contract/command'
import type { RuntimeClient } from '../client/client.ts'
import { idBatches } from '../client/id-batches.ts'
import type { CallResult, Channel } from '../connection/channel.ts'
import { navigationWords } from '../strings/navigation.ts'

export async function previewDeletion(
  channel: Pick<Channel, 'call'>,
  conversation_ids: readonly string[],
): Promise<CallResult<DeletionPreview>> {
  const previews: DeletionPreview[] = []
  for (const batch of idBatches(conversation_ids)) {
    const answer = await channel.call('conversation_preview_delete', { conversation_ids: [...batch] })
    if (!answer.ok) return answer
    previews.push(answer.value)
  }
  return { ok: true, value: wholePreview(previews) }
}

/** A conversation that belongs to several of them is counted once. */
export function wholePreview(previews: readonly DeletionPreview[]): DeletionPreview {
  return {
    conversation_ids: [...new Set(previews.flatMap((one) => one.conversation_ids))],
    open_run_ids: [...new Set(previews.flatMap((one) => one.open_run_ids))],
    recovery_points: previews.reduce((sum, one) => sum + one.recovery_points, 0),
    memories: previews.reduce((sum, one) => sum + one.memories, 0),
    unmerged_copies: [...new Map(previews.flatMap((one) => one.unmerged_copies).map((copy) => [copy.run_id, copy])).values()],
    signed_out: previews.some((one) => one.signed_out),
  }
}

export interface Deleted {
  /** Those that were named, until one was refused. */
  readonly chosen: readonly string[]
  /** With everything that belongs to them. */
  readonly all: readonly string[]
}

/** A refusal is shown to the user. What was deleted before it stays deleted. */
export async function deleteConversations(client: RuntimeClient, conversation_ids: readonly string[], stop: boolean): Promise<Deleted> {
  const chosen: string[] = []
  const all: string[] = []
  for (const batch of idBatches(conversation_ids)) {
    const params = { conversation_ids: [...batch], ...(stop ? { stop } : {}) }
    const answer = await client.call(navigationWords.list.doing.delete, 'conversation_delete', params)
    if (!answer.ok) break
    chosen.push(...batch)
    all.push(...answer.value.conversation_ids)
  }
  return { chosen, all }
}
