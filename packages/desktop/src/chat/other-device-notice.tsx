// Why nothing can be sent in a conversation: its run belongs to another device, shown by name if the cloud knows it.
import { useDeviceName } from '../client/use-device-name.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'

export function OtherDeviceNotice({ id, device_id }: { id: string; device_id: string }) {
  const name = useDeviceName(device_id)
  return (
    <p id={id} className="break-words border-line border-b bg-sunken px-4 py-2 text-sm text-soft">
      {words.composer.elsewhere(name === null ? null : visibleName(name))}
    </p>
  )
}
