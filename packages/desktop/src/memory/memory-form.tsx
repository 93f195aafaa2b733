// The text and the kind of a memory: for a new one, and for a change.
import type { MemoryKind } from '@tandem/contract/memory'
import { type ReactNode, useState } from 'react'
import type { CallResult } from '../connection/channel.ts'
import { Form } from '../part/form/form.tsx'
import { SubmitActions } from '../part/form/submit-actions.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { memoryWords } from '../strings/memory.ts'
import { KindChoice } from './kind-choice.tsx'

export interface MemoryDraft {
  readonly content: string
  readonly memory_kind: MemoryKind
}

interface Props {
  readonly initial: MemoryDraft
  readonly submit: string
  save(draft: MemoryDraft): Promise<CallResult<unknown>>
  onDone(): void
  /** Further fields. */
  readonly children?: ReactNode
  readonly className?: string
}

export function MemoryForm({ initial, submit, save, onDone, children, className = '' }: Props) {
  const form = useForm()
  const [draft, setDraft] = useState(initial)
  const send = async () => {
    const answer = await form.send(() => save(draft))
    if (answer.ok) onDone()
  }
  return (
    <Form form={form} onSubmit={send} className={`grid gap-4 ${className}`}>
      <TextField
        label={memoryWords.content}
        field="content"
        value={draft.content}
        onChange={(content) => setDraft({ ...draft, content })}
        rows={3}
      />
      <KindChoice value={draft.memory_kind} onChange={(memory_kind) => setDraft({ ...draft, memory_kind })} />
      {children}
      <SubmitActions label={submit} />
    </Form>
  )
}
