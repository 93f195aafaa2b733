// All messages of a conversation with the answers that were interrupted; of a branch, those that it continues from come first.
import type { ListedMessage } from '@tandem/contract/command'
import type { CallResult, Channel } from '../connection/channel.ts'
import { segmentsOf, type ThreadSegment } from '../store/branches.ts'
import type { WindowState } from '../store/window-state.ts'
import { readAll, readSteps } from './pages.ts'

export async function readThreadMessages(
  channel: Channel,
  conversations: WindowState['conversations'],
  conversation_id: string,
): Promise<CallResult<readonly ListedMessage[]>> {
  const all: ListedMessage[] = []
  for (const segment of segmentsOf(conversations, conversation_id)) {
    const read = await readAll(channel, 'message_list', { conversation_id: segment.conversation_id, interrupted: true })
    if (!read.ok) return read
    const kept = segment.until === null ? null : await readUntil(channel, segment.until)
    if (kept && !kept.ok) return kept
    all.push(...(kept ? read.value.items.filter(kept.value) : read.value.items))
  }
  return { ok: true, value: all }
}

/** Whether a message was there before the point. */
async function readUntil(
  channel: Channel,
  { run_id, seq }: NonNullable<ThreadSegment['until']>,
): Promise<CallResult<(message: ListedMessage) => boolean>> {
  const steps = await readSteps(channel, run_id, -1)
  if (!steps.ok) return steps
  const at = steps.value.find((step) => step.seq >= seq)?.ts ?? steps.value.at(-1)?.ts ?? ''
  const after = new Set(steps.value.flatMap((step) => (step.seq >= seq && 'message_id' in step ? [step.message_id] : [])))
  return { ok: true, value: ({ message_id, created_at }) => created_at <= at && !after.has(message_id) }
}
