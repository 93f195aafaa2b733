// A small form for what cannot be undone: why, and a second confirmation.
import { type ReactNode, useState } from 'react'
import type { CallResult } from '../../connection/channel.ts'
import { Button } from '../form/button.tsx'
import { Form } from '../form/form.tsx'
import { SubmitActions } from '../form/submit-actions.tsx'
import { TextField } from '../form/text-field.tsx'
import { useForm } from '../form/use-form.ts'

interface Props {
  readonly label: string
  readonly lead: string
  readonly reason: string
  readonly yes: string
  readonly no: string
  send(reason: string): Promise<CallResult<unknown>>
  onClose(): void
  readonly children?: ReactNode
}

export function ReasonForm({ label, lead, reason, yes, no, send, onClose, children }: Props) {
  const form = useForm()
  const [text, setText] = useState('')
  return (
    <fieldset className="mt-3 rounded-lg border border-line bg-sunken p-3">
      <legend className="sr-only">{label}</legend>
      <Form form={form} onSubmit={() => form.send(() => send(text.trim()))} className="grid gap-3">
        <p className="text-sm">{lead}</p>
        {children}
        <TextField label={reason} field="reason" value={text} onChange={setText} autoFocus />
        <SubmitActions label={yes}>
          <Button onClick={onClose}>{no}</Button>
        </SubmitActions>
      </Form>
    </fieldset>
  )
}
