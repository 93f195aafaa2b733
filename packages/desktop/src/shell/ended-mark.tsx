// The mark of a conversation in which a run has ended or stopped since the user last looked at it.
import type { Conversation } from '@tandem/contract/command'
import { useIsUnseen } from '../part/unseen.ts'
import { navigationWords } from '../strings/navigation.ts'

export function EndedMark({ conversations }: { conversations: readonly Conversation[] }) {
  const isUnseen = useIsUnseen(conversations.map(({ conversation_id }) => conversation_id))
  if (!isUnseen) return null
  const label = navigationWords.notices.unseen
  return <span role="img" aria-label={label} title={label} className="size-2 shrink-0 rounded-full border-4 border-good" />
}
