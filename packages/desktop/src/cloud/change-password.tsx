import { limits } from '@tandem/contract/limits'
import { useRef, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { type FormProblem, useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'

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
  const { channel } = useRuntimeClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [repeated, setRepeated] = useState('')
  const form = useForm()
  const submit = async () => {
    const fault = faultIn(next, repeated)
    if (fault) return form.refuse(fault)
    const passwords = { current_password: current, new_password: next }
    const answer = await form.send(() => channel.call('account_change_password', passwords))
    if (answer.ok) onClose(true)
  }
  return (
    <Form form={form} onSubmit={submit} className="mt-4 grid max-w-xl gap-4 border-line border-t pt-4">
      <TextField
        label={words.account.current}
        field="current_password"
        type="password"
        autoComplete="current-password"
        autoFocus
        value={current}
        onChange={setCurrent}
      />
      <div>
        <TextField
          label={words.account.next}
          field="new_password"
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={setNext}
        />
        <p className="mt-1 text-faint text-sm">{words.account.rule(limits.password_characters_min)}</p>
      </div>
      <TextField
        label={words.account.repeat}
        field="repeated"
        type="password"
        autoComplete="new-password"
        value={repeated}
        onChange={setRepeated}
      />
      <FormActions>
        <PrimaryButton type="submit" disabled={form.isBusy || current === '' || next === '' || repeated === ''}>
          {words.account.change}
        </PrimaryButton>
        <Button onClick={() => onClose(false)}>{words.cancel}</Button>
      </FormActions>
    </Form>
  )
}

/** Checks that do not need the cloud. */
function faultIn(next: string, repeated: string): FormProblem | null {
  const least = limits.password_characters_min
  if (next.length < least) return at('new_password', words.account.tooShort(least), words.account.rule(least))
  return next === repeated ? null : at('repeated', words.account.differ, words.account.typeAgain)
}

function at(field: string, message: string, remedy: string): FormProblem {
  return { message, remedy, fields: [{ field, message }] }
}
