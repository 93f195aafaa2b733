// "That's wrong" at a message: what was wrong and what is right. The memory that was wrong is found for the user.
import type { ListedMessage } from '@tandem/contract/command'
import { useEffect, useState } from 'react'
import { useWindowState } from '../../client/use-client.ts'
import { memoryWords } from '../../strings/memory.ts'
import { words } from '../../strings/window.ts'
import { MemoryDialog } from '../memory-dialog.tsx'
import { Candidates, useCandidates } from './candidates.tsx'
import { correct, useCorrected } from './correcting.ts'
import { CorrectionForm } from './correction-form.tsx'

const told = memoryWords.correction

export function CorrectionDialog({ conversation_id }: { conversation_id: string }) {
  const message = useCorrected()
  const agent_id = useWindowState((state) => state.conversations?.get(conversation_id)?.agent_id)
  useEffect(() => () => correct(null), [])
  if (message === null || agent_id === undefined || message.conversation_id !== conversation_id) return null
  return <OpenDialog key={message.message_id} message={message} agent_id={agent_id} />
}

function OpenDialog({ message, agent_id }: { message: ListedMessage; agent_id: string }) {
  return (
    <MemoryDialog title={told.title} lead={told.lead} onClose={() => correct(null)}>
      {(close) => <MessageCorrection message={message} agent_id={agent_id} onClose={close} />}
    </MemoryDialog>
  )
}

interface Props {
  readonly message: ListedMessage
  readonly agent_id: string
  onClose(): void
}

function MessageCorrection({ message: { message_id, conversation_id, text }, agent_id, onClose }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const found = useCandidates({ agent_id, conversation_id }, text)
  const memories = found.state.state === 'ready' ? found.state.value : []
  // A memory that quotes this message is most likely the one that is meant.
  const quoting = memories.find(({ quotes }) => quotes.some((quote) => quote.message_id === message_id))?.id ?? ''
  const corrected = memories.find(({ id }) => id === (chosen ?? quoting))
  return (
    <CorrectionForm
      at={{ agent_id, conversation_id, message_id }}
      corrected={corrected}
      cancel={words.cancel}
      onCancel={onClose}
      onClose={onClose}
    >
      <Candidates found={found} value={corrected?.id ?? ''} onChange={setChosen} />
    </CorrectionForm>
  )
}
