import type { ListedDevice } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'

interface Props {
  readonly device: ListedDevice
  /** By which it can be told from the others. */
  readonly shownName: string
  onChange(): Promise<void>
}

export function DeviceLine({ device, shownName: shown, onChange }: Props) {
  const client = useRuntimeClient()
  const [doing, setDoing] = useState<'nothing' | 'renaming' | 'removing'>('nothing')
  const [name, setName] = useState(device.name)
  const { device_id, presence, this_device, last_heartbeat } = device
  const form = useForm({ doing: words.cloudDoing.deviceRename })
  const rename = async () => {
    if (name.trim() === device.name) return setDoing('nothing')
    const answer = await form.send(() => client.channel.call('device_rename', { device_id, name: name.trim() }), words.saved)
    if (!answer.ok) return
    setDoing('nothing')
    await onChange()
  }
  const remove = async () => {
    setDoing('nothing')
    await client.call(words.cloudDoing.deviceRemove, 'device_remove', { device_id })
    await onChange()
  }
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-40">
          <span className="block truncate font-medium">
            {shown} {this_device && <Badge>{words.devices.here}</Badge>}
          </span>
          <span className="block text-faint text-sm">
            {[device.platform, device.app_version, words.devices.seen(formatTime(device.last_seen_at))].filter(Boolean).join(' · ')}
            {last_heartbeat && last_heartbeat.running_runs > 0 && ` · ${words.devices.running(last_heartbeat.running_runs)}`}
          </span>
        </span>
        <span role="status" className="text-good text-sm">
          {doing === 'nothing' ? form.confirmation : ''}
        </span>
        <Badge tone={presence === 'online' ? 'good' : 'plain'}>{words.devices.presence[presence]}</Badge>
        <Button onClick={() => setDoing('renaming')} aria-label={`${words.devices.rename} ${shown}`}>
          {words.devices.rename}
        </Button>
        {!this_device && (
          <Button onClick={() => setDoing('removing')} aria-label={`${words.devices.remove} ${shown}`}>
            {words.devices.remove}
          </Button>
        )}
      </div>
      {doing === 'renaming' && (
        <Form form={form} onSubmit={rename} className="mt-2 grid max-w-md gap-2">
          <TextField label={words.devices.renameOf(shown)} field="name" value={name} onChange={setName} autoFocus />
          <FormActions>
            <PrimaryButton type="submit" disabled={form.isBusy || name.trim() === ''}>
              {words.save}
            </PrimaryButton>
            <Button onClick={() => setDoing('nothing')}>{words.cancel}</Button>
          </FormActions>
        </Form>
      )}
      {doing === 'removing' && (
        <div role="alertdialog" aria-label={words.devices.removeSure(shown)} className="mt-2 rounded-md bg-warn-soft px-3 py-2">
          <p className="mb-2 text-warn">{words.devices.removeSure(shown)}</p>
          <div className="flex gap-2">
            <PrimaryButton autoFocus onClick={remove}>
              {words.devices.removeYes}
            </PrimaryButton>
            <Button onClick={() => setDoing('nothing')}>{words.cancel}</Button>
          </div>
        </div>
      )}
    </li>
  )
}
