// A form about something that has a key: the key goes in and never comes out.
import type { CommandParams } from '@tandem/contract/command'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../part/button.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { useSave } from './use-save.ts'

type Change = CommandParams<'runtime_set_settings'>

interface Props {
  readonly label: string
  readonly isSet: boolean
  /** What the form says beside the key. */
  fields(): Change
  /** Null takes the key away. */
  withKey(key: string | null): Change
  readonly children: ReactNode
}

export function KeyedForm({ label, isSet, fields, withKey, children }: Props) {
  const [key, setKey] = useState('')
  const { save, said } = useSave()
  const keep = async (change: Change) => {
    if (await save(change)) setKey('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void keep({ ...fields(), ...(key.trim() === '' ? {} : withKey(key.trim())) })
  }
  return (
    <Panel className="p-4">
      <form onSubmit={submit} className="grid max-w-xl gap-4">
        {children}
        <div>
          <TextField label={label} type="password" value={key} onChange={setKey} hint={words.settings.keyHint} mono />
          <p className="mt-1 text-faint text-sm">{isSet ? words.settings.keySet : words.settings.keyUnset}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <PrimaryButton type="submit">{words.save}</PrimaryButton>
          {isSet && <Button onClick={() => keep(withKey(null))}>{words.settings.removeKey}</Button>}
          <span role="status" className="text-good text-sm">
            {said}
          </span>
        </div>
      </form>
    </Panel>
  )
}
