import { type FormEvent, useState } from 'react'
import { useDesk } from '../desk/use-desk.ts'
import { PrimaryButton } from '../part/primary-button.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'

/** `cloud_url` and `email` are those of a session that has ended. */
export function SignIn({ cloud_url = '', email: known = '', onDone }: { cloud_url?: string; email?: string; onDone(): Promise<void> }) {
  const desk = useDesk()
  const [address, setAddress] = useState(cloud_url)
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [account, setAccount] = useState<'known' | 'new'>('known')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const params = { cloud_url: address.trim().replace(/\/+$/, ''), email: email.trim(), password, account }
    const answer = await desk.ask(words.cloudDoing.signIn, 'account_sign_in', params)
    setBusy(false)
    if (!answer.ok) return
    setPassword('')
    await onDone()
  }
  return (
    <form onSubmit={submit} className="grid max-w-xl gap-4">
      <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
        <legend className="sr-only">{words.devices.which}</legend>
        {(['known', 'new'] as const).map((one) => (
          <label key={one} className="flex items-center gap-2">
            <input type="radio" checked={account === one} onChange={() => setAccount(one)} className="accent-(--cloud)" />
            {one === 'known' ? words.devices.have : words.devices.make}
          </label>
        ))}
      </fieldset>
      <TextField label={words.devices.address} type="url" value={address} onChange={setAddress} hint={words.devices.addressHint} mono />
      <TextField label={words.devices.email} value={email} onChange={setEmail} />
      <TextField label={words.devices.password} type="password" value={password} onChange={setPassword} />
      <div>
        <PrimaryButton type="submit" disabled={busy || address.trim() === '' || email.trim() === '' || password === ''}>
          {words.devices.signIn}
        </PrimaryButton>
      </div>
    </form>
  )
}
