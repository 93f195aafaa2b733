import type { CommandParams, Settings } from '@tandem/contract/command'
import { type FormEvent, useState } from 'react'
import { Button } from '../part/button.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { useSave } from './use-save.ts'

export function ModelForm({ settings }: { settings: Settings }) {
  const [address, setAddress] = useState(settings.model_base_url ?? '')
  const [model, setModel] = useState(settings.default_model ?? '')
  const [key, setKey] = useState('')
  const { save, said } = useSave()
  const keep = async (change: CommandParams<'runtime_set_settings'>) => {
    if (await save(change)) setKey('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void keep({
      model_base_url: address.trim() || null,
      default_model: model.trim() || null,
      ...(key.trim() === '' ? {} : { model_key: key.trim() }),
    })
  }
  return (
    <Panel className="p-4">
      <form onSubmit={submit} className="grid max-w-xl gap-4">
        <TextField label={words.settings.baseUrl} value={address} onChange={setAddress} hint={words.settings.baseUrlHint} mono />
        <TextField label={words.settings.defaultModel} value={model} onChange={setModel} hint={words.settings.defaultModelHint} mono />
        <div>
          <TextField label={words.settings.key} type="password" value={key} onChange={setKey} hint={words.settings.keyHint} mono />
          <p className="mt-1 text-faint text-sm">{settings.model_key_set ? words.settings.keySet : words.settings.keyUnset}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <PrimaryButton type="submit">{words.save}</PrimaryButton>
          {settings.model_key_set && <Button onClick={() => keep({ model_key: null })}>{words.settings.removeKey}</Button>}
          <span role="status" className="text-good text-sm">
            {said}
          </span>
        </div>
      </form>
    </Panel>
  )
}
