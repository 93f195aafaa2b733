// The settings center. What memory and learning will offer gets its own panel here.
import type { CommandParams, Settings as SettingsOf } from '@tandem/contract/command'
import { type FormEvent, useState } from 'react'
import { useDesk, useWindow } from '../desk/use-desk.ts'
import { Button } from '../part/button.tsx'
import { Place } from '../part/place.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { applyTheme, storedTheme, storeTheme, type Theme } from '../theme.ts'

export default function Settings() {
  const settings = useWindow((state) => state.settings)
  return (
    <Place title={words.settings.title} lead={words.settings.lead}>
      <Section title={words.settings.model} lead={words.settings.modelLead}>
        {settings ? <ModelForm key={JSON.stringify(settings)} settings={settings} /> : <p className="text-faint">{words.loading}</p>}
      </Section>
      <Section title={words.settings.appearance}>
        <Panel className="p-4">
          <ThemeChoice />
        </Panel>
      </Section>
      <Section title={words.settings.profile} lead={words.settings.profileLead}>
        <Panel className="p-4 text-faint">{words.settings.notYet}</Panel>
      </Section>
    </Place>
  )
}

function ModelForm({ settings }: { settings: SettingsOf }) {
  const desk = useDesk()
  const [address, setAddress] = useState(settings.model_base_url ?? '')
  const [model, setModel] = useState(settings.default_model ?? '')
  const [key, setKey] = useState('')
  const [said, setSaid] = useState('')
  const save = async (change: CommandParams<'runtime_set_settings'>) => {
    setSaid('')
    const answer = await desk.ask(words.doing.settings, 'runtime_set_settings', change)
    if (!answer.ok) return
    setKey('')
    setSaid(words.saved)
    await Promise.all([desk.refreshLists(), desk.refreshStatus()])
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({
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
          {settings.model_key_set && <Button onClick={() => save({ model_key: null })}>{words.settings.removeKey}</Button>}
          <span role="status" className="text-good text-sm">
            {said}
          </span>
        </div>
      </form>
    </Panel>
  )
}

const themes: readonly Theme[] = ['system', 'light', 'dark']

function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme)
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="mb-2 text-soft text-sm">{words.settings.theme}</legend>
      {themes.map((one) => (
        <Button
          key={one}
          aria-pressed={theme === one}
          onClick={() => {
            storeTheme(one)
            applyTheme(one)
            setTheme(one)
          }}
        >
          {words.settings.themes[one]}
        </Button>
      ))}
    </fieldset>
  )
}
