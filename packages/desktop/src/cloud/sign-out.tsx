import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { useForm } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'

type KeptData = 'keep' | 'wipe'

/** Keeping the data is the default; unsent changes are lost only if the user confirms it. */
export function SignOut({ unsent, onDone, onCancel }: { unsent: number; onDone(): Promise<void>; onCancel(): void }) {
  const client = useRuntimeClient()
  const [local_data, setKept] = useState<KeptData>('keep')
  const [everywhere, setEverywhere] = useState(false)
  const [lose, setLose] = useState(false)
  const form = useForm({ doing: words.cloudDoing.signOut })
  const mustSay = local_data === 'wipe' && unsent > 0
  const submit = async () => {
    const params = {
      local_data,
      unsent: mustSay && lose ? ('discard' as const) : ('keep' as const),
      scope: everywhere ? ('everywhere' as const) : ('session' as const),
    }
    const answer = await form.send(() => client.channel.call('account_sign_out', params))
    if (!answer.ok) return
    await Promise.all([onDone(), client.refreshLists()])
  }
  return (
    <Form form={form} onSubmit={submit} className="mt-4 grid max-w-xl gap-3 border-line border-t pt-4">
      <fieldset className="grid gap-2">
        <legend className="mb-2">{words.devices.signOutHow}</legend>
        {(['keep', 'wipe'] as const).map((one) => (
          <label key={one} className="option">
            <input type="radio" checked={local_data === one} onChange={() => setKept(one)} className="mt-1.5 accent-(--cloud)" />
            <span>
              <span className="block font-medium">{words.devices[one]}</span>
              <span className="block text-soft text-sm">{one === 'keep' ? words.devices.keepLead : words.devices.wipeLead}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {mustSay && (
        <div className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          <p>{words.devices.unsent(unsent)}</p>
          <Check label={words.devices.loseUnsent} checked={lose} onChange={setLose} />
        </div>
      )}
      <Check label={words.devices.everywhere} checked={everywhere} onChange={setEverywhere} />
      <FormActions>
        <PrimaryButton type="submit" disabled={form.isBusy || (mustSay && !lose)}>
          {words.devices.signOut}
        </PrimaryButton>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </FormActions>
    </Form>
  )
}

function Check({ label, checked, onChange }: { label: string; checked: boolean; onChange(checked: boolean): void }) {
  return (
    <label className="flex items-center gap-2">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} className="accent-(--cloud)" />
      {label}
    </label>
  )
}
