// The appearance of the window, and what Tandem does without one.
import type { Settings } from '@tandem/contract/command'
import { windowCloseBehaviors } from '@tandem/contract/command'
import { useState } from 'react'
import { goTo } from '../address.ts'
import { Button } from '../part/form/button.tsx'
import { FormError } from '../part/form/form.tsx'
import { FormContext } from '../part/form/use-form.ts'
import { useSaveSettings } from '../part/form/use-save-settings.ts'
import { Panel } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { applyTheme, storedTheme, storeTheme, type Theme } from '../theme.ts'
import { NotificationSetting } from './notification-setting.tsx'

const told = words.settingsCenter
const themes: readonly Theme[] = ['system', 'light', 'dark']

export function WindowForm({ settings }: { settings: Settings }) {
  const { save, form } = useSaveSettings()
  const again = async () => {
    if (await save({ tour: 'ahead' })) goTo('/')
  }
  return (
    <Panel className="grid gap-6 p-4">
      <ThemeChoice />
      <NotificationSetting />
      <fieldset>
        <legend className="mb-2 text-soft text-sm">{told.closing}</legend>
        <div className="grid gap-2 lg:grid-cols-2">
          {windowCloseBehaviors.map((one) => (
            <label key={one} className="option">
              <input
                type="radio"
                name="when_window_closes"
                data-field="when_window_closes"
                checked={settings.when_window_closes === one}
                onChange={() => save({ when_window_closes: one })}
                className="mt-1.5 accent-(--cloud)"
              />
              <span>
                <span className="block font-medium">{told.closings[one][0]}</span>
                <span className="block text-soft text-sm">{told.closings[one][1]}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="text-soft">{told.tourLead}</p>
        <Button data-field="tour" onClick={again}>
          {told.tourAgain}
        </Button>
        <span role="status" className="text-good text-sm">
          {form.confirmation}
        </span>
      </div>
      <FormContext value={form}>
        <FormError />
      </FormContext>
    </Panel>
  )
}

function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme)
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="mb-2 text-soft text-sm">{words.settings.theme}</legend>
      {themes.map((one) => (
        <Button
          key={one}
          data-field="theme"
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
