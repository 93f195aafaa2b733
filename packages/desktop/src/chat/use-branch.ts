// Starts a branch: restores files if the user wants that, creates the conversation, and sends the message.
import type { ListedMessage } from '@tandem/contract/command'
import { conversationAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { goToComposer } from '../part/composer-focus.ts'
import { keepAttachments, keepDraft } from '../store/draft.ts'
import { branchWords } from '../strings/branching.ts'
import { branchKeys } from './branch-keys.ts'
import { editMessage, requestBranch } from './branching.ts'
import { type BranchRestore, type BranchRestored, restoreForBranch } from './restore-for-branch.ts'

export interface BranchStart {
  readonly message: ListedMessage
  readonly keep: 'before' | 'through'
  /** Null: only a branch, in which the user writes. */
  readonly text: string | null
  /** What to restore before. */
  readonly restore: BranchRestore
}

/** Resolves to whether the branch exists, or why not. Refusals are shown as notices. */
export function useBranch(): (start: BranchStart) => Promise<BranchRestored> {
  const client = useRuntimeClient()
  return async ({ message, keep, text, restore }) => {
    const { doing } = branchWords
    const restored = await restoreForBranch(client, restore)
    if (restored !== 'done') return restored
    const { message_id, attachments } = message
    const keys = branchKeys.of({ message_id, keep, text })
    const answer = await client.call(doing.branch, 'conversation_branch', { message_id, keep, key: keys.branch })
    if (!answer.ok) return 'refused'
    const { conversation } = answer.value
    const { conversation_id } = conversation
    client.addConversation(conversation)
    if (text !== null) {
      // If it cannot be sent, the text and its files are in the composer of the branch.
      keepDraft(conversation_id, text)
      keepAttachments(conversation_id, attachments)
      // Opened before the run starts, so that no text is missed.
      client.clock.after(5_000, client.openThread(conversation_id))
      const sending = { conversation_id, text, key: keys.message, ...(attachments.length > 0 ? { attachments } : {}) }
      const started = await client.call(doing.send, 'agent_run_start', sending)
      if (started.ok) {
        keepDraft(conversation_id, '')
        keepAttachments(conversation_id, [])
        keepDraft(editPlace(message_id), '')
      }
    }
    branchKeys.done({ message_id, keep, text })
    // Before the other page is there, which would find it and do it again.
    requestBranch(null)
    editMessage(null)
    goToComposer(conversationAddress(conversation_id))
    await client.refreshLists()
    return 'done'
  }
}

/** Where the text of a message is kept while it is edited. */
export function editPlace(message_id: string): string {
  return `edit:${message_id}`
}
