// The provider of models: its address and key, whether it responds, and the default model.
import type { Settings } from '@tandem/contract/command'
import { type ConnectionTest, demoModel, type PresetName, presetNames, presetOf, presets } from '@tandem/contract/model'
import { useEffect, useRef, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { SelectField } from '../part/form/select-field.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { type FormState, useDraft } from '../part/form/use-form.ts'
import { ModelField, type ModelSource } from '../part/model-picker.tsx'
import { modelWords } from '../strings/models.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { SecretKeyForm } from './secret-key-form.tsx'

const told = words.settings

export function ModelForm({ settings }: { settings: Settings }) {
  const [draft, setDraft] = useDraft({
    address: settings.model_base_url ?? '',
    model: settings.default_model ?? '',
    tokens: String(settings.model_context_window ?? ''),
  })
  const [chosen, setChosen] = useState<PresetName | null>(null)
  const [tested, setTested] = useState<{ readonly of: string; readonly test: ConnectionTest } | null>(null)
  const preset = draft.address.trim() === '' ? chosen : presetOf(draft.address)
  const address = draft.address.trim()
  const source = sourceOf(address, preset, settings)
  const of = JSON.stringify(source)
  return (
    <SecretKeyForm
      label={told.key}
      field="model_key"
      isSet={settings.model_key_set}
      fields={() => ({
        model_base_url: address || null,
        default_model: draft.model.trim() || null,
        model_context_window: draft.tokens.trim() === '' ? null : Number(draft.tokens),
      })}
      below={
        <>
          <ModelField
            label={told.defaultModel}
            field="default_model"
            value={draft.model}
            onChange={(model) => setDraft({ ...draft, model })}
            hint={told.defaultModelHint}
            source={source}
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
        </>
      }
      aside={<KeyPage preset={preset} />}
      actions={(key, form) => (
        <TestButton
          source={source}
          lacksAddress={address === '' && preset === 'compatible'}
          typedKey={key}
          form={form}
          onTested={(test) => setTested(test && { of, test })}
        />
      )}
      result={<TestResult test={tested?.of === of ? tested.test : null} />}
    >
      <Provider
        value={preset}
        onChange={(name) => {
          setChosen(name)
          setDraft({ ...draft, address: presets[name].base_url ?? '' })
        }}
      />
      <TextField
        label={told.baseUrl}
        field="model_base_url"
        value={draft.address}
        onChange={(next) => setDraft({ ...draft, address: next })}
        hint={told.baseUrlHint}
        mono
      />
    </SecretKeyForm>
  )
}

/** What the form describes, not what is saved: without an address, that is the account. */
function sourceOf(address: string, preset: PresetName | null, { model_base_url }: Settings): ModelSource {
  const isSaved = address === (model_base_url ?? '')
  if (address === '' && (preset === 'gateway' || !isSaved)) return { source: 'account' }
  return isSaved ? {} : { model_base_url: address }
}

function Provider({ value, onChange }: { value: PresetName | null; onChange(name: PresetName): void }) {
  const inUse = useWindowState((state) => state.status?.model.base_url ?? null)
  const host = inUse === null ? undefined : URL.parse(inUse)?.host
  const isDemo = useWindowState((state) => state.status?.model.default_model === demoModel)
  const now = host === undefined ? '' : isDemo ? modelWords.inUseDemo : modelWords.inUse(host)
  const hint = value === null ? now : modelWords.presetHint(value)
  return (
    <SelectField
      label={modelWords.provider}
      value={value ?? ''}
      onChange={(chosen) => {
        const name = presetNames.find((one) => one === chosen)
        if (name) onChange(name)
      }}
      hint={visibleText(hint)}
      className="w-full"
    >
      {value === null && <option value="">{modelWords.noProvider}</option>}
      {presetNames.map((name) => (
        <option key={name} value={name}>
          {modelWords.presetTitle(name)}
        </option>
      ))}
    </SelectField>
  )
}

function KeyPage({ preset }: { preset: PresetName | null }) {
  const page = preset && presets[preset].key_page
  return page ? (
    <a href={page} target="_blank" rel="noreferrer" className="text-cloud text-sm underline underline-offset-4">
      {modelWords.keyPage}
    </a>
  ) : null
}

interface TestButtonProps {
  readonly source: ModelSource
  readonly lacksAddress: boolean
  readonly typedKey: string
  readonly form: FormState
  onTested(test: ConnectionTest | null): void
}

function TestButton({ source, lacksAddress, typedKey, form, onTested }: TestButtonProps) {
  const { channel } = useRuntimeClient()
  const [isTesting, setTesting] = useState(false)
  const test = async () => {
    onTested(null)
    const message = modelWords.addressNeeded
    if (lacksAddress) return form.refuse({ message, remedy: '', fields: [{ field: 'model_base_url', message }] })
    setTesting(true)
    const key = typedKey.trim()
    // The account has keys of its own.
    const params = { ...source, ...(key === '' || source.source !== undefined ? {} : { model_key: key }) }
    const answer = await form.send(() => channel.call('model_test_connection', params))
    setTesting(false)
    onTested(answer.ok ? answer.value : null)
  }
  return (
    <Button disabled={isTesting} onClick={test}>
      {isTesting ? modelWords.testing : modelWords.test}
    </Button>
  )
}

function TestResult({ test }: { test: ConnectionTest | null }) {
  const result = useRef<HTMLDivElement>(null)
  // In a low window it would appear below what is visible.
  useEffect(() => {
    if (test) result.current?.scrollIntoView({ block: 'nearest' })
  }, [test])
  return (
    <div
      ref={result}
      role="status"
      aria-label={modelWords.test}
      className={`text-sm empty:hidden ${test?.works ? 'text-good' : 'text-bad'}`}
    >
      {test && (
        <>
          <p className="break-words font-medium">{visibleText(modelWords.connection(test.result, test).message)}</p>
          <p className="break-words">{visibleText(modelWords.connection(test.result, test).remedy)}</p>
        </>
      )}
    </div>
  )
}
