// What was wrong and what is right.
import type { Memory, MemoryKind } from '@tandem/contract/memory'
import { type ReactNode, useState } from 'react'
import { followLink, memoryAddress } from '../../address.ts'
import { useRuntimeClient } from '../../client/use-client.ts'
import { Button } from '../../part/form/button.tsx'
import { Form } from '../../part/form/form.tsx'
import { SubmitActions } from '../../part/form/submit-actions.tsx'
import { TextField } from '../../part/form/text-field.tsx'
import { useForm } from '../../part/form/use-form.ts'
import { memoryWords } from '../../strings/memory.ts'
import { words } from '../../strings/window.ts'
import { KindChoice } from '../kind-choice.tsx'

const told = memoryWords.correction

interface Props {
  /** Where the user noticed it. */
  readonly at: {
    readonly agent_id: string
    readonly conversation_id?: string
    readonly message_id?: string
    readonly run_id?: string
  }
  /** The memory that is wrong; without one, the user writes what was wrong. */
  readonly corrected: Memory | undefined
  /** Names or offers the memory that is wrong. */
  readonly children: ReactNode
  /** A text that was already asked for, above the offers. */
  readonly wrong?: string
  /** The user just chose the memory: only the right text is missing. */
  readonly autoFocus?: boolean
  readonly cancel: string
  onCancel(): void
  onClose(): void
}

export function CorrectionForm({ at, corrected, children, wrong: given, autoFocus = false, cancel, onCancel, onClose }: Props) {
  const client = useRuntimeClient()
  const form = useForm()
  const [written, setWritten] = useState('')
  const [right, setRight] = useState('')
  const [kind, setKind] = useState<MemoryKind>('semantic')
  const [saved, setSaved] = useState<string | null>(null)
  const wrong = (given ?? written).trim()
  const submit = async () => {
    const answer = await form.send(() =>
      client.channel.call('memory_record_user_correction', {
        ...{ ...at, right: right.trim() },
        wrong: wrong || (corrected?.content ?? ''),
        ...(corrected ? { corrected_memory_id: corrected.id } : { memory_kind: kind }),
      }),
    )
    if (answer.ok) setSaved(answer.value.memory.id)
  }
  if (saved !== null) return <Saved memory_id={saved} onClose={onClose} />
  return (
    <Form form={form} onSubmit={submit} className="grid gap-4">
      {children}
      {!corrected && given === undefined && <TextField label={told.wrong} field="wrong" value={written} onChange={setWritten} rows={2} />}
      {!corrected && <KindChoice value={kind} onChange={setKind} />}
      <TextField label={told.right} field="right" value={right} onChange={setRight} rows={2} autoFocus={autoFocus} />
      <SubmitActions label={told.save}>
        <Button onClick={onCancel}>{cancel}</Button>
      </SubmitActions>
    </Form>
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
