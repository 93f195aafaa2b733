import { followLink, messageAddress } from '../address.ts'
import { memoryWords } from '../strings/memory.ts'

/** A link to a message in its conversation. */
export function OpenMessage({ message_id, conversation_id }: { message_id: string; conversation_id: string | undefined }) {
  if (conversation_id === undefined) return <span className="text-faint">{memoryWords.messageGone}</span>
  return (
    <a href={messageAddress(conversation_id, message_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
      {memoryWords.openTheMessage}
    </a>
  )
}
