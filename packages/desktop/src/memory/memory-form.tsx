import { type Memory, memoryKinds } from '@tandem/contract/memory'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Choice } from '../part/form/choice.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { memoryWords } from '../strings/memory.ts'
import { words } from '../strings/window.ts'

/** Changes the text and the kind. */
export function MemoryForm({ memory, onDone }: { memory: Memory; onDone(): void }) {
  const client = useRuntimeClient()
  const form = useForm()
  const [content, setContent] = useState(memory.content)
  const [kind, setKind] = useState(memory.memory_kind)
  const submit = async () => {
    const edit = {
      ...(content === memory.content ? {} : { content }),
      ...(kind === memory.memory_kind ? {} : { memory_kind: kind }),
    }
    if (Object.keys(edit).length === 0) return onDone()
    const params = { memory_id: memory.id, version: memory.version, ...edit }
    const answer = await form.send(() => client.channel.call('memory_edit', params))
    if (answer.ok) onDone()
  }
  return (
    <Form form={form} onSubmit={submit} className="mt-4 grid gap-4 border-line border-t pt-4">
      <TextField label={memoryWords.content} field="content" value={content} onChange={setContent} rows={3} />
      <Choice
        label={memoryWords.kind}
        values={memoryKinds}
        value={kind}
        onChange={setKind}
        nameOf={(one) => memoryWords.kinds[one]}
        mono={false}
      />
      <FormActions>
        <PrimaryButton type="submit" disabled={form.isBusy}>
          {words.save}
        </PrimaryButton>
      </FormActions>
    </Form>
  )
}
