// The user enters an address, compares the fingerprint of its certificate, and then adds it. The token is sent only after that.
import type { CommandResult } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel } from '../part/section.tsx'
import { executorWords } from '../strings/executors.ts'
import { words } from '../strings/window.ts'

const told = executorWords.form

type Preview = CommandResult<'executor_preview'>

export function AddExecutor({ onDone }: { onDone(): void }) {
  const { channel } = useRuntimeClient()
  const [fields, setFields] = useState({ name: '', executor_url: '', token: '' })
  const [preview, setPreview] = useState<Preview | null>(null)
  const form = useForm()
  const executor_url = fields.executor_url.trim()
  const field = (name: keyof typeof fields) => ({
    field: name,
    value: fields[name],
    onChange(value: string) {
      // Another address has another certificate.
      if (name === 'executor_url') setPreview(null)
      setFields({ ...fields, [name]: value })
    },
  })
  const check = async () => {
    const shown = await form.send(() => channel.call('executor_preview', { executor_url }))
    if (shown.ok) setPreview(shown.value)
  }
  const add = async ({ certificate_sha256 }: Preview) => {
    const asked = { name: fields.name.trim(), executor_url, token: fields.token.trim(), certificate_sha256 }
    const added = await form.send(() => channel.call('executor_add', asked))
    if (added.ok) onDone()
  }
  return (
    <Panel className="p-4">
      <Form form={form} onSubmit={() => (preview ? add(preview) : check())} className="grid max-w-xl gap-4">
        <TextField label={told.name} {...field('name')} hint={told.nameHint} autoFocus />
        <TextField label={told.url} {...field('executor_url')} hint={told.urlHint} mono />
        <TextField label={told.token} {...field('token')} hint={told.tokenHint} type="password" mono />
        {preview && <Fingerprint preview={preview} />}
        <FormActions>
          <PrimaryButton type="submit" disabled={form.isBusy}>
            {preview === null ? told.check : preview.certificate_sha256 === null ? told.confirmPlain : told.confirm}
          </PrimaryButton>
          <Button onClick={onDone}>{words.cancel}</Button>
        </FormActions>
      </Form>
    </Panel>
  )
}

function Fingerprint({ preview: { certificate_sha256 } }: { preview: Preview }) {
  if (certificate_sha256 === null) return <p role="status">{told.plain}</p>
  return (
    <div role="status" className="rounded-md border border-line bg-warn-soft px-3 py-2">
      <p className="text-sm">{told.compare}</p>
      <code className="mt-1 block break-all text-[13px]">{certificate_sha256}</code>
    </div>
  )
}
