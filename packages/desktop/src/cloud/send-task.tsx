import { type FormEvent, useId, useRef, useState } from 'react'
import { useCommand } from '../desk/use-asked.ts'
import { useDesk } from '../desk/use-desk.ts'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

export function SendTask({ onSent }: { onSent(): Promise<void> }) {
  const desk = useDesk()
  const id = useId()
  const devices = useCommand('device_list', { limit: 200 })
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [device, setDevice] = useState('')
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  // The same until it arrived: a second press sends nothing twice.
  const key = useRef<string>(crypto.randomUUID())
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setSaid('')
    const answer = await desk.ask(words.cloudDoing.task, 'task_create', {
      title: title.trim(),
      key: key.current,
      ...(description.trim() === '' ? {} : { description: description.trim() }),
      ...(device === '' ? {} : { device_id: device }),
    })
    setBusy(false)
    if (!answer.ok) return
    key.current = crypto.randomUUID()
    setTitle('')
    setDescription('')
    setSaid(words.tasks.sent)
    await onSent()
  }
  return (
    <Section title={words.tasks.send}>
      <Panel className="p-4">
        <form onSubmit={submit} className="grid max-w-xl gap-4">
          <TextField label={words.tasks.titleField} value={title} onChange={setTitle} />
          <TextField label={words.tasks.description} value={description} onChange={setDescription} rows={3} />
          <div>
            <label htmlFor={id} className="mb-1 block text-soft text-sm">
              {words.tasks.device}
            </label>
            <select id={id} value={device} onChange={(event) => setDevice(event.target.value)} className="field w-full">
              <option value="">{words.tasks.whichever}</option>
              {devices.asked.state === 'ready' &&
                devices.asked.value.items.map(({ device_id, name, this_device }) => (
                  <option key={device_id} value={device_id}>
                    {visibleText(name)} {this_device ? `(${words.devices.here})` : ''}
                  </option>
                ))}
            </select>
          </div>
          <div className="flex items-center gap-3">
            <PrimaryButton type="submit" disabled={busy || title.trim() === ''}>
              {words.tasks.sendIt}
            </PrimaryButton>
            <span role="status" className="text-good text-sm">
              {said}
            </span>
          </div>
        </form>
      </Panel>
    </Section>
  )
}
