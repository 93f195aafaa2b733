import type { Settings } from '@tandem/contract/command'
import { useState } from 'react'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { KeyedForm } from './keyed-form.tsx'

const told = words.settings

export function ModelForm({ settings }: { settings: Settings }) {
  const [address, setAddress] = useState(settings.model_base_url ?? '')
  const [model, setModel] = useState(settings.default_model ?? '')
  const [tokens, setTokens] = useState(String(settings.model_context_window ?? ''))
  return (
    <KeyedForm
      label={told.key}
      isSet={settings.model_key_set}
      fields={() => ({
        model_base_url: address.trim() || null,
        default_model: model.trim() || null,
        model_context_window: tokens.trim() === '' ? null : Number(tokens),
      })}
      withKey={(model_key) => ({ model_key })}
    >
      <TextField label={told.baseUrl} value={address} onChange={setAddress} hint={told.baseUrlHint} mono />
      <TextField label={told.defaultModel} value={model} onChange={setModel} hint={told.defaultModelHint} mono />
      <TextField label={told.contextWindow} value={tokens} onChange={setTokens} hint={told.contextWindowHint} type="number" mono />
    </KeyedForm>
  )
}
