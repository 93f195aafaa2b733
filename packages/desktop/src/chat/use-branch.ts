// Starts a branch: restores files if the user wants that, creates the conversation, and sends the message.
import type { ConflictChoice } from '@tandem/contract/checkpoint'
import type { ListedMessage } from '@tandem/contract/command'
import { conversationAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { goToComposer } from '../part/composer-focus.ts'
import type { ChangedSince } from '../store/branch-source.ts'
import { keepDraft } from '../store/draft.ts'
import { branchWords } from '../strings/branching.ts'
import { editMessage, requestBranch } from './branching.ts'

export interface BranchStart {
  readonly message: ListedMessage
  readonly keep: 'before' | 'through'
  /** Null: only a branch, in which the user writes. */
  readonly text: string | null
  /** What to restore before, the newest first. */
  readonly restore: readonly ChangedSince[]
  readonly on_conflict: ConflictChoice
}

/** Resolves to whether the branch exists. Refusals are shown as notices. */
export function useBranch(): (start: BranchStart) => Promise<boolean> {
  const client = useRuntimeClient()
  return async ({ message, keep, text, restore, on_conflict }) => {
    const { doing } = branchWords
    for (const { run_id, checkpoint_id } of restore) {
      const params = { action: 'restore' as const, run_id, checkpoint_id, on_conflict, scope: 'files' as const }
      const restored = await client.call(doing.restore, 'agent_run_restore_checkpoint', params)
      if (!restored.ok) return false
    }
    const answer = await client.call(doing.branch, 'conversation_branch', {
      message_id: message.message_id,
      keep,
      key: crypto.randomUUID(),
    })
    if (!answer.ok) return false
    const { conversation } = answer.value
    const { conversation_id } = conversation
    client.addConversation(conversation)
    // If it cannot be sent, the text is in the composer of the branch.
    if (text !== null) keepDraft(conversation_id, text)
    if (text !== null) {
      // Opened before the run starts, so that no text is missed.
      client.clock.after(5_000, client.openThread(conversation_id))
      const { attachments } = message
      const sending = { conversation_id, text, key: crypto.randomUUID(), ...(attachments.length > 0 ? { attachments } : {}) }
      const started = await client.call(doing.send, 'agent_run_start', sending)
      if (started.ok) keepDraft(conversation_id, '')
    }
    // Before the other page is there, which would find it and do it again.
    requestBranch(null)
    editMessage(null)
    goToComposer(conversationAddress(conversation_id))
    await client.refreshLists()
    return true
  }
}
