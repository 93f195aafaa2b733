// What a new run starts with.
import type { Message, MessageAuthor } from '@tandem/contract/run'
import type { SandboxMode } from '@tandem/contract/tool'
import type { RunRecord } from '../journal/run-record.ts'

export interface StartRequest {
  readonly conversation_id: string
  /** The author of the text: only the caller knows. */
  readonly author: MessageAuthor
  readonly text: string
  readonly attachments?: Message['attachments']
  readonly model?: string
  readonly sandbox_mode?: SandboxMode
  /** Starting again with the same key starts nothing, and returns the run that it started. */
  readonly key?: string
  /** A message that was queued for an earlier run. */
  readonly queued?: QueuedStart
}

export interface QueuedStart {
  readonly message_id: string
  /** Part of the transaction of the start. */
  started(run: RunRecord): void
}
