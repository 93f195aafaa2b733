import type { Settings } from '@tandem/contract/command'
import { searchProviderNames } from '@tandem/contract/command'
import { useId } from 'react'
import { TextField } from '../part/form/text-field.tsx'
import { useDraft } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'
import { SecretKeyForm } from './secret-key-form.tsx'

const told = words.settingsCenter

export function SearchForm({ settings }: { settings: Settings }) {
  const id = useId()
  const [{ provider, url }, setDraft] = useDraft({ provider: settings.search_provider, url: settings.search_url ?? '' })
  return (
    <SecretKeyForm
      label={told.searchKey}
      field="search_key"
      isSet={settings.search_key_set}
      fields={() => ({ search_provider: provider, search_url: url.trim() || null })}
    >
      <div>
        <label htmlFor={id} className="mb-1 block text-soft text-sm">
          {told.provider}
        </label>
        <select
          id={id}
          data-field="search_provider"
          value={provider ?? ''}
          onChange={(event) => setDraft({ provider: searchProviderNames.find((name) => name === event.target.value) ?? null, url })}
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
      <TextField
        label={told.searchUrl}
        field="search_url"
        value={url}
        onChange={(next) => setDraft({ provider, url: next })}
        hint={told.searchUrlHint}
        mono
      />
    </SecretKeyForm>
  )
}
