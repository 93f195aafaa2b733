// Messages that a run had not received when it ended.
import type { LocalRun } from '@tandem/contract/command'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'

type Client = Pick<RuntimeClient, 'call'>

/** Takes back those of a run that was stopped. One with files stays for the window: the composer of a terminal has only text. */
export async function takeUnsent(client: Client, run_id: string): Promise<readonly string[]> {
  const listed = await client.call('agent_run_get_queue', { run_id })
  const texts: string[] = []
  for (const { message_id, run_id: of, attachments } of listed.ok ? listed.value.queued : []) {
    if (of !== run_id || attachments.length > 0) continue
    const removed = await client.call('agent_run_remove_queued', { run_id, message_id })
    if (removed.ok) texts.push(removed.value.queued.text)
  }
  return texts
}

/** The run that has those of a run that failed; null if there were none, or none could be started, which the failed run shows. */
export async function runWithUnsent(client: Client, run_id: string): Promise<LocalRun | null> {
  const sent = await client.call('agent_run_send_now', { run_id })
  if (!sent.ok) return null
  const next = await client.call('agent_run_get', { run_id: sent.value.run_id })
  return next.ok ? next.value.run : null
}
