// A form with a secret key: the key can be set but is never shown.
import type { CommandParams } from '@tandem/contract/command'
import { type ReactNode, useState } from 'react'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import type { FormState } from '../part/form/use-form.ts'
import { useSaveSettings } from '../part/form/use-save-settings.ts'
import { Panel } from '../part/section.tsx'
import { words } from '../strings/window.ts'

type Change = CommandParams<'runtime_set_settings'>

interface Props {
  readonly label: string
  /** The name of the key in the settings. */
  readonly field: 'model_key' | 'search_key'
  readonly isSet: boolean
  /** The other fields of the form. */
  fields(): Change
  readonly children: ReactNode
  /** The fields below the key. */
  readonly below?: ReactNode
  /** Next to whether there is a key. */
  readonly aside?: ReactNode
  /** More buttons, with the key that is being typed. */
  actions?(key: string, form: FormState): ReactNode
  /** Below the buttons. */
  readonly result?: ReactNode
}

export function SecretKeyForm({ label, field, isSet, fields, children, below, aside, actions, result }: Props) {
  const [key, setKey] = useState('')
  const { save, form } = useSaveSettings()
  const keep = async (change: Change) => {
    if (await save(change)) setKey('')
  }
  const submit = () => keep({ ...fields(), ...(key.trim() === '' ? {} : { [field]: key.trim() }) })
  return (
    <Panel className="p-4">
      <Form form={form} onSubmit={submit} className="grid max-w-xl gap-4">
        {children}
        <div>
          <TextField
            label={label}
            field={field}
            type="password"
            value={key}
            onChange={setKey}
            hint={isSet ? words.settings.keyHint : ''}
            mono
          />
          <p className="mt-1 text-faint text-sm">
            {isSet ? words.settings.keySet : words.settings.keyUnset} {aside}
          </p>
        </div>
        {below}
        <FormActions>
          <PrimaryButton type="submit">{words.save}</PrimaryButton>
          {actions?.(key, form)}
          {isSet && <Button onClick={() => keep({ [field]: null })}>{words.settings.removeKey}</Button>}
        </FormActions>
        {result}
      </Form>
    </Panel>
  )
}
