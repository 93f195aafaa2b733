import type { Settings } from '@tandem/contract/command'
import { searchProviderNames } from '@tandem/contract/command'
import { useId, useState } from 'react'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { KeyedForm } from './keyed-form.tsx'

const told = words.settingsCenter

export function SearchForm({ settings }: { settings: Settings }) {
  const id = useId()
  const [provider, setProvider] = useState(settings.search_provider)
  const [url, setUrl] = useState(settings.search_url ?? '')
  return (
    <KeyedForm
      label={told.searchKey}
      isSet={settings.search_key_set}
      fields={() => ({ search_provider: provider, search_url: url.trim() || null })}
      withKey={(search_key) => ({ search_key })}
    >
      <div>
        <label htmlFor={id} className="mb-1 block text-soft text-sm">
          {told.provider}
        </label>
        <select
          id={id}
          value={provider ?? ''}
          onChange={(event) => setProvider(searchProviderNames.find((name) => name === event.target.value) ?? null)}
          className="field w-full"
        >
          <option value="">{told.noProvider}</option>
          {searchProviderNames.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <TextField label={told.searchUrl} value={url} onChange={setUrl} hint={told.searchUrlHint} mono />
    </KeyedForm>
  )
}
