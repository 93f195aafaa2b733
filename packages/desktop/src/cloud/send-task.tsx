import { distinctDeviceNames } from '@tandem/contract/device'
import { useRef, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCompleteList } from '../client/use-request.ts'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { SelectField } from '../part/form/select-field.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'

export function SendTask({ onSent }: { onSent(): Promise<void> }) {
  const client = useRuntimeClient()
  const devices = useCompleteList('device_list', {})
  const names = distinctDeviceNames(devices.state.state === 'ready' ? devices.state.value : [])
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [device, setDevice] = useState('')
  const form = useForm({ doing: words.cloudDoing.taskSend })
  // Unchanged until the task has arrived: a second click does not send it twice.
  const key = useRef<string>(crypto.randomUUID())
  const submit = async () => {
    const params = {
      title: title.trim(),
      key: key.current,
      ...(description.trim() === '' ? {} : { description: description.trim() }),
      ...(device === '' ? {} : { device_id: device }),
    }
    const answer = await form.send(() => client.channel.call('task_create', params), words.tasks.sent)
    if (!answer.ok) return
    key.current = crypto.randomUUID()
    setTitle('')
    setDescription('')
    await onSent()
  }
  return (
    <Section title={words.tasks.send}>
      <Panel className="p-4">
        <Form form={form} onSubmit={submit} className="grid max-w-xl gap-4">
          <TextField label={words.tasks.titleField} field="title" value={title} onChange={setTitle} />
          <TextField label={words.tasks.description} field="description" value={description} onChange={setDescription} rows={3} />
          <SelectField label={words.tasks.device} value={device} onChange={setDevice} className="w-full">
            <option value="">{words.tasks.whichever}</option>
            {devices.state.state === 'ready' &&
              devices.state.value.map(({ device_id, name, this_device }) => (
                <option key={device_id} value={device_id}>
                  {visibleName(names.get(device_id) ?? name)} {this_device ? `(${words.devices.here})` : ''}
                </option>
              ))}
          </SelectField>
          <FormActions>
            <PrimaryButton type="submit" disabled={form.isBusy || title.trim() === ''}>
              {words.tasks.sendIt}
            </PrimaryButton>
          </FormActions>
        </Form>
      </Panel>
    </Section>
  )
}
