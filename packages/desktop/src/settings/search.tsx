import type { CommandParams, Settings } from '@tandem/contract/command'
import { searchProviderNames } from '@tandem/contract/command'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../part/button.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { useSave } from './use-save.ts'

const told = words.settingsCenter

export function SearchForm({ settings }: { settings: Settings }) {
  const id = useId()
  const [provider, setProvider] = useState<string>(settings.search_provider ?? '')
  const [url, setUrl] = useState(settings.search_url ?? '')
  const [key, setKey] = useState('')
  const { save, said } = useSave()
  const keep = async (change: CommandParams<'runtime_set_settings'>) => {
    if (await save(change)) setKey('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void keep({
      search_provider: searchProviderNames.find((name) => name === provider) ?? null,
      search_url: url.trim() || null,
      ...(key.trim() === '' ? {} : { search_key: key.trim() }),
    })
  }
  return (
    <Panel className="p-4">
      <form onSubmit={submit} className="grid max-w-xl gap-4">
        <div>
          <label htmlFor={id} className="mb-1 block text-soft text-sm">
            {told.provider}
          </label>
          <select id={id} value={provider} onChange={(event) => setProvider(event.target.value)} className="field w-full">
            <option value="">{told.noProvider}</option>
            {searchProviderNames.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <TextField label={told.searchUrl} value={url} onChange={setUrl} hint={told.searchUrlHint} mono />
        <div>
          <TextField label={told.searchKey} type="password" value={key} onChange={setKey} hint={words.settings.keyHint} mono />
          <p className="mt-1 text-faint text-sm">{settings.search_key_set ? words.settings.keySet : words.settings.keyUnset}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <PrimaryButton type="submit">{words.save}</PrimaryButton>
          {settings.search_key_set && <Button onClick={() => keep({ search_key: null })}>{words.settings.removeKey}</Button>}
          <span role="status" className="text-good text-sm">
            {said}
          </span>
        </div>
      </form>
    </Panel>
  )
}
