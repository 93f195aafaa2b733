import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'

/** `cloud_url` and `email` are those of a session that has ended. */
export function SignIn({ cloud_url = '', email: known = '', onDone }: { cloud_url?: string; email?: string; onDone(): Promise<void> }) {
  const client = useRuntimeClient()
  const [address, setAddress] = useState(cloud_url)
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [account, setAccount] = useState<'known' | 'new'>('known')
  const form = useForm({ doing: words.cloudDoing.signIn })
  const submit = async () => {
    const params = { cloud_url: address.trim().replace(/\/+$/, ''), email: email.trim(), password, account }
    const answer = await form.send(() => client.channel.call('account_sign_in', params))
    if (!answer.ok) return
    setPassword('')
    await onDone()
  }
  return (
    <Form form={form} onSubmit={submit} className="grid max-w-xl gap-4">
      <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
        <legend className="sr-only">{words.devices.which}</legend>
        {(['known', 'new'] as const).map((one) => (
          <label key={one} className="flex items-center gap-2">
            <input type="radio" checked={account === one} onChange={() => setAccount(one)} className="accent-(--cloud)" />
            {one === 'known' ? words.devices.have : words.devices.make}
          </label>
        ))}
      </fieldset>
      <TextField
        label={words.devices.address}
        field="cloud_url"
        type="url"
        value={address}
        onChange={setAddress}
        hint={words.devices.addressHint}
        mono
      />
      <TextField label={words.devices.email} field="email" value={email} onChange={setEmail} />
      <TextField label={words.devices.password} field="password" type="password" value={password} onChange={setPassword} />
      <FormActions>
        <PrimaryButton type="submit" disabled={form.isBusy || address.trim() === '' || email.trim() === '' || password === ''}>
          {words.devices.signIn}
        </PrimaryButton>
      </FormActions>
    </Form>
  )
}
