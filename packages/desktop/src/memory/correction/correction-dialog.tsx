// "That's wrong" at a message: what was wrong and what is right. The memory that was wrong is found for the user.
import type { ListedMessage } from '@tandem/contract/command'
import type { Memory } from '@tandem/contract/memory'
import { useEffect, useId, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../../client/use-client.ts'
import { useRequest } from '../../client/use-request.ts'
import { LoadError } from '../../part/load-error.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { words } from '../../strings/window.ts'
import { visibleText } from '../../text/visible.ts'
import { MemoryDialog } from '../memory-dialog.tsx'
import { correct, useCorrected } from './correcting.ts'
import { CorrectionForm } from './correction-form.tsx'

const told = memoryWords.correction
const mostCandidates = 5
const mostQuery = 1_000

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
  const client = useRuntimeClient()
  const [chosen, setChosen] = useState<string | null>(null)
  const found = useRequest(message_id, async () => {
    const query = text.slice(0, mostQuery).trim() || message_id
    const answer = await client.channel.call('memory_search', {
      ...{ agent_id, conversation_id, query, channels: ['semantic_recall'], limit: mostCandidates },
    })
    return answer.ok ? { ok: true, value: answer.value.semantic_recall.map(({ memory }) => memory) } : answer
  })
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
      {found.state.state === 'loading' && (
        <p role="status" className="text-faint text-sm">
          {told.looking}
        </p>
      )}
      {found.state.state === 'failed' && <LoadError error={found.state.error} again={found.reload} />}
      {found.state.state === 'ready' && <Candidates memories={memories} value={corrected?.id ?? ''} onChange={setChosen} />}
    </CorrectionForm>
  )
}

interface CandidatesProps {
  readonly memories: readonly Memory[]
  readonly value: string
  onChange(memory_id: string): void
}

function Candidates({ memories, value, onChange }: CandidatesProps) {
  const name = useId()
  if (memories.length === 0) return <p className="text-faint text-sm">{told.noneFound}</p>
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-soft text-sm">{told.which}</legend>
      <div className="grid gap-1.5">
        {[...memories.map(({ id, content }) => [id, visibleText(content)] as const), ['', told.other] as const].map(([id, label]) => (
          <label key={id} className="option">
            <input type="radio" name={name} checked={value === id} onChange={() => onChange(id)} className="mt-1.5 accent-(--cloud)" />
            <span className="line-clamp-3 min-w-0 break-words">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
