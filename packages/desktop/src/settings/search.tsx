import type { Settings } from '@tandem/contract/command'
import { searchProviderNames } from '@tandem/contract/command'
import { SelectField } from '../part/form/select-field.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useDraft } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'
import { SecretKeyForm } from './secret-key-form.tsx'

const told = words.settingsCenter

export function SearchForm({ settings }: { settings: Settings }) {
  const [{ provider, url }, setDraft] = useDraft({ provider: settings.search_provider, url: settings.search_url ?? '' })
  return (
    <SecretKeyForm
      label={told.searchKey}
      field="search_key"
      isSet={settings.search_key_set}
      fields={() => ({ search_provider: provider, search_url: url.trim() || null })}
    >
      <SelectField
        label={told.provider}
        setting="search_provider"
        value={provider ?? ''}
        onChange={(chosen) => setDraft({ provider: searchProviderNames.find((name) => name === chosen) ?? null, url })}
        className="w-full"
      >
        <option value="">{told.noProvider}</option>
        {searchProviderNames.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
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
