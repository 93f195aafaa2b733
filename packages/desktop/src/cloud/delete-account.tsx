import type { SignedInAccount } from '@tandem/contract/command'
import { useRef, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

export function DeleteAccount({ account, onDeleted }: { account: SignedInAccount; onDeleted(): Promise<void> }) {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const cancel = () => {
    setOpen(false)
    opener.current?.focus()
  }
  return (
    <Section title={words.account.remove} lead={words.account.removeLead}>
      <Panel className="p-4">
        <Button ref={opener} aria-expanded={open} onClick={() => setOpen(true)}>
          {words.account.remove}
        </Button>
        {open && <DeletionForm email={account.email} onDeleted={onDeleted} onCancel={cancel} />}
      </Panel>
    </Section>
  )
}

function DeletionForm({ email, onDeleted, onCancel }: { email: string; onDeleted(): Promise<void>; onCancel(): void }) {
  const { channel } = useRuntimeClient()
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const form = useForm()
  const isConfirmed = typed.trim().toLowerCase() === email.toLowerCase()
  const submit = async () => {
    const answer = await form.send(() => channel.call('account_delete', { password }))
    if (answer.ok) await onDeleted()
  }
  return (
    <Form form={form} onSubmit={submit} className="mt-4 grid max-w-xl gap-4 border-line border-t pt-4">
      <ul className="list-disc space-y-1 rounded-md bg-warn-soft py-2 pr-3 pl-8 text-warn">
        {words.account.removeFacts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <TextField label={visibleText(words.account.confirm(email))} value={typed} onChange={setTyped} autoFocus />
      <TextField
        label={words.account.current}
        field="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <FormActions>
        <PrimaryButton type="submit" disabled={form.isBusy || !isConfirmed || password === ''}>
          {words.account.removeYes}
        </PrimaryButton>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </FormActions>
    </Form>
  )
}
