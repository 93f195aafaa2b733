import { type ApiKeyScope, apiKeyScopes, type NewApiKey } from '@tandem/contract/auth'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel } from '../part/section.tsx'
import { words } from '../strings/window.ts'

/** Closes with the new key, or with null if the user cancels. */
export function CreateKey({ onClose }: { onClose(created: NewApiKey | null): void }) {
  const { channel } = useRuntimeClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(['gateway'])
  const form = useForm()
  const toggle = (scope: ApiKeyScope) => setScopes((before) => apiKeyScopes.filter((one) => before.includes(one) !== (one === scope)))
  const submit = async () => {
    const answer = await form.send(() => channel.call('account_key_create', { name: name.trim(), scopes: [...scopes] }))
    if (answer.ok) onClose(answer.value)
  }
  return (
    <Panel className="mb-4 p-4">
      <Form form={form} onSubmit={submit} className="grid max-w-xl gap-4">
        <TextField label={words.account.name} field="name" value={name} onChange={setName} hint={words.account.nameHint} autoFocus />
        <fieldset>
          <legend className="mb-1 text-soft text-sm">{words.account.scopes}</legend>
          {apiKeyScopes.map((scope) => (
            <label key={scope} className="flex items-center gap-2 py-0.5">
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} className="accent-(--cloud)" />
              <span>
                {words.account.scopeLeads[scope]} <code className="text-faint">{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
        <FormActions>
          <PrimaryButton type="submit" disabled={form.isBusy || name.trim() === '' || scopes.length === 0}>
            {words.account.create}
          </PrimaryButton>
          <Button onClick={() => onClose(null)}>{words.cancel}</Button>
        </FormActions>
      </Form>
    </Panel>
  )
}
