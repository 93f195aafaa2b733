// "That's wrong" at a message: what was wrong and what is right. The memory that was wrong is found for the user.
import type { ListedMessage } from '@tandem/contract/command'
import { type Memory, type MemoryKind, memoryKinds } from '@tandem/contract/memory'
import { useEffect, useId, useRef, useState } from 'react'
import { followLink, memoryAddress } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { Choice } from '../part/form/choice.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { LoadError } from '../part/load-error.tsx'
import { memoryWords } from '../strings/memory.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { correct, useCorrected } from './correcting.ts'

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
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} onClose={() => correct(null)} aria-labelledby={id} className="palette max-h-[85vh] overflow-y-auto">
      <div className="p-4">
        <h2 id={id} className="font-semibold text-lg tracking-tight">
          {told.title}
        </h2>
        <p className="mt-1 mb-4 text-soft text-sm">{told.lead}</p>
        <CorrectionForm message={message} agent_id={agent_id} onClose={() => dialog.current?.close()} />
      </div>
    </dialog>
  )
}

interface FormProps {
  readonly message: ListedMessage
  readonly agent_id: string
  onClose(): void
}

function CorrectionForm({ message: { message_id, conversation_id, text }, agent_id, onClose }: FormProps) {
  const client = useRuntimeClient()
  const form = useForm()
  const [wrong, setWrong] = useState('')
  const [right, setRight] = useState('')
  const [kind, setKind] = useState<MemoryKind>('semantic')
  const [chosen, setChosen] = useState<string | null>(null)
  const [saved, setSaved] = useState<string | null>(null)
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
  const submit = async () => {
    const answer = await form.send(() =>
      client.channel.call('memory_record_user_correction', {
        ...{ agent_id, conversation_id, message_id, right: right.trim() },
        wrong: wrong.trim() || (corrected?.content ?? ''),
        ...(corrected ? { corrected_memory_id: corrected.id } : { memory_kind: kind }),
      }),
    )
    if (answer.ok) setSaved(answer.value.memory.id)
  }
  if (saved !== null) return <Saved memory_id={saved} onClose={onClose} />
  return (
    <Form form={form} onSubmit={submit} className="grid gap-4">
      {found.state.state === 'loading' && (
        <p role="status" className="text-faint text-sm">
          {told.looking}
        </p>
      )}
      {found.state.state === 'failed' && <LoadError error={found.state.error} again={found.reload} />}
      {found.state.state === 'ready' && <Candidates memories={memories} value={corrected?.id ?? ''} onChange={setChosen} />}
      {!corrected && (
        <>
          <TextField label={told.wrong} field="wrong" value={wrong} onChange={setWrong} rows={2} />
          <Choice
            label={memoryWords.kind}
            values={memoryKinds}
            value={kind}
            onChange={setKind}
            nameOf={(one) => memoryWords.kinds[one]}
            mono={false}
          />
        </>
      )}
      <TextField label={told.right} field="right" value={right} onChange={setRight} rows={2} />
      <FormActions>
        <PrimaryButton type="submit" disabled={form.isBusy}>
          {told.save}
        </PrimaryButton>
        <Button onClick={onClose}>{words.cancel}</Button>
      </FormActions>
    </Form>
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

function Saved({ memory_id, onClose }: { memory_id: string; onClose(): void }) {
  return (
    <>
      <p role="status" className="mb-3 text-good">
        {told.saved}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button autoFocus onClick={onClose}>
          {words.close}
        </Button>
        <a href={memoryAddress(memory_id)} onClick={followLink} className="text-cloud text-sm underline underline-offset-4">
          {told.show}
        </a>
      </div>
    </>
  )
}
