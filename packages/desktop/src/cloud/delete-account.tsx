import type { SignedInAccount } from '@tandem/contract/command'
import { type FormEvent, useRef, useState } from 'react'
import type { CallError } from '../connection/channel.ts'
import { useDesk } from '../desk/use-desk.ts'
import { Button } from '../part/button.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { FormError } from './form-error.tsx'

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
  const { channel } = useDesk()
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<CallError | null>(null)
  const [busy, setBusy] = useState(false)
  const isConfirmed = typed.trim().toLowerCase() === email.toLowerCase()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    const answer = await channel.call('account_delete', { password })
    setBusy(false)
    if (answer.ok) await onDeleted()
    else setError(answer.error)
  }
  return (
    <form onSubmit={submit} className="mt-4 grid max-w-xl gap-4 border-line border-t pt-4">
      <ul className="list-disc space-y-1 rounded-md bg-warn-soft py-2 pr-3 pl-8 text-warn">
        {words.account.removeFacts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <TextField label={visibleText(words.account.confirm(email))} value={typed} onChange={setTyped} autoFocus />
      <TextField label={words.account.current} type="password" autoComplete="current-password" value={password} onChange={setPassword} />
      <FormError error={error} />
      <div className="flex flex-wrap gap-2">
        <PrimaryButton type="submit" disabled={busy || !isConfirmed || password === ''}>
          {words.account.removeYes}
        </PrimaryButton>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </form>
  )
}
