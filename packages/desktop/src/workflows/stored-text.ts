// A stored workflow with its text.
import type { CommandResult } from '@tandem/contract/command'
import type { CallResult, Channel } from '../connection/channel.ts'

export type StoredWorkflow = CommandResult<'workflow_get'>['workflow']

export interface StoredText {
  readonly workflow: StoredWorkflow
  readonly text: string
}

export async function readStoredText(channel: Pick<Channel, 'call'>, workflow_id: string): Promise<CallResult<StoredText>> {
  const [stored, written] = await Promise.all([
    channel.call('workflow_get', { workflow_id }),
    channel.call('workflow_write_text', { workflow_id, format: 'yaml' }),
  ])
  if (!stored.ok) return stored
  return written.ok ? { ok: true, value: { workflow: stored.value.workflow, text: written.value.text } } : written
}
