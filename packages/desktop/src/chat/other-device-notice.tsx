// Why nothing can be sent in a conversation: its run belongs to another device, shown by name if the cloud knows it.
import { useCommand } from '../client/use-request.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'

export function OtherDeviceNotice({ id, device_id }: { id: string; device_id: string }) {
  const { state: asked } = useCommand('device_list', { limit: 200 })
  const device = asked.state === 'ready' ? asked.value.items.find((one) => one.device_id === device_id) : undefined
  return (
    <p id={id} className="break-words border-line border-b bg-sunken px-4 py-2 text-sm text-soft">
      {words.composer.elsewhere(device ? visibleName(device.name) : null)}
    </p>
  )
}
