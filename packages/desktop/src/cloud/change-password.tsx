import { limits } from '@tandem/contract/limits'
import { type FormEvent, useRef, useState } from 'react'
import type { CallError } from '../connection/channel.ts'
import { useDesk } from '../desk/use-desk.ts'
import { Button } from '../part/button.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { FormError } from './form-error.tsx'

export function ChangePassword({ onChanged }: { onChanged(): Promise<void> }) {
  const [open, setOpen] = useState(false)
  const [done, setDone] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (changed: boolean) => {
    setOpen(false)
    setDone(changed)
    opener.current?.focus()
    if (changed) void onChanged()
  }
  const start = () => {
    setDone(false)
    setOpen(true)
  }
  return (
    <Section title={words.account.password} lead={words.account.passwordLead}>
      <Panel className="p-4">
        <Button ref={opener} aria-expanded={open} onClick={start}>
          {words.account.change}
        </Button>
        <p role="status" className={done ? 'mt-3 text-good' : 'sr-only'}>
          {done ? words.account.changed : ''}
        </p>
        {open && <PasswordForm onClose={close} />}
      </Panel>
    </Section>
  )
}

function PasswordForm({ onClose }: { onClose(changed: boolean): void }) {
  const { channel } = useDesk()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [repeated, setRepeated] = useState('')
  const [error, setError] = useState<Pick<CallError, 'message' | 'remedy'> | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const fault = faultIn(next, repeated)
    setError(fault)
    if (fault) return
    setBusy(true)
    const answer = await channel.call('account_change_password', { current_password: current, new_password: next })
    setBusy(false)
    if (answer.ok) onClose(true)
    else setError(answer.error)
  }
  return (
    <form onSubmit={submit} className="mt-4 grid max-w-xl gap-4 border-line border-t pt-4">
      <TextField
        label={words.account.current}
        type="password"
        autoComplete="current-password"
        autoFocus
        value={current}
        onChange={setCurrent}
      />
      <div>
        <TextField label={words.account.next} type="password" autoComplete="new-password" value={next} onChange={setNext} />
        <p className="mt-1 text-faint text-sm">{words.account.rule(limits.password_characters_min)}</p>
      </div>
      <TextField label={words.account.repeat} type="password" autoComplete="new-password" value={repeated} onChange={setRepeated} />
      <FormError error={error} />
      <div className="flex flex-wrap gap-2">
        <PrimaryButton type="submit" disabled={busy || current === '' || next === '' || repeated === ''}>
          {words.account.change}
        </PrimaryButton>
        <Button onClick={() => onClose(false)}>{words.cancel}</Button>
      </div>
    </form>
  )
}

/** What can be seen without asking the cloud. */
function faultIn(next: string, repeated: string): Pick<CallError, 'message' | 'remedy'> | null {
  const least = limits.password_characters_min
  if (next.length < least) return { message: words.account.tooShort(least), remedy: words.account.rule(least) }
  return next === repeated ? null : { message: words.account.differ, remedy: words.account.typeAgain }
}
