import type { Settings } from '@tandem/contract/command'
import { TextField } from '../part/form/text-field.tsx'
import { useDraft } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'
import { SecretKeyForm } from './secret-key-form.tsx'

const told = words.settings

export function ModelForm({ settings }: { settings: Settings }) {
  const [draft, setDraft] = useDraft({
    address: settings.model_base_url ?? '',
    model: settings.default_model ?? '',
    tokens: String(settings.model_context_window ?? ''),
  })
  return (
    <SecretKeyForm
      label={told.key}
      field="model_key"
      isSet={settings.model_key_set}
      fields={() => ({
        model_base_url: draft.address.trim() || null,
        default_model: draft.model.trim() || null,
        model_context_window: draft.tokens.trim() === '' ? null : Number(draft.tokens),
      })}
    >
      <TextField
        label={told.baseUrl}
        field="model_base_url"
        value={draft.address}
        onChange={(address) => setDraft({ ...draft, address })}
        hint={told.baseUrlHint}
        mono
      />
      <TextField
        label={told.defaultModel}
        field="default_model"
        value={draft.model}
        onChange={(model) => setDraft({ ...draft, model })}
        hint={told.defaultModelHint}
        mono
      />
      <TextField
        label={told.contextWindow}
        field="model_context_window"
        value={draft.tokens}
        onChange={(tokens) => setDraft({ ...draft, tokens })}
        hint={told.contextWindowHint}
        type="number"
        mono
      />
    </SecretKeyForm>
  )
}
