// The folder of a conversation in its header, and changing it.
import type { Conversation } from '@tandem/contract/command'
import { useRuntimeClient } from '../client/use-client.ts'
import { FolderButton } from '../folder/folder-button.tsx'
import { folderWords } from '../strings/folders.ts'

export function ConversationFolder({ conversation, isBusy }: { conversation: Conversation; isBusy: boolean }) {
  const client = useRuntimeClient()
  const { conversation_id, workspace } = conversation
  const choose = async (path: string) => {
    const answer = await client.channel.call('conversation_set_workspace', { conversation_id, workspace: path })
    if (!answer.ok) return answer.error.fields?.[0]?.message ?? answer.error.message
    client.addConversation(answer.value.conversation)
    client.readMessages(conversation_id)
    await client.refreshLists()
    return null
  }
  // The name stays readable next to a long title.
  return (
    <FolderButton value={workspace} lead={isBusy ? folderWords.leadRunning : folderWords.lead} onChoose={choose} className="min-w-24" />
  )
}
