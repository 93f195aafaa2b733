import type { ListedDevice } from '@tandem/contract/command'
import type { Device } from '@tandem/contract/device'
import { toOutcome } from '../feature/cloud-outcome.ts'
import type { CommandTable } from '../feature/command-table.ts'
import type { Devices } from '../sync/devices.ts'

export interface DeviceFeature {
  service(): Promise<Devices>
  readonly device_id: string
}

export function deviceHandlers({ service, device_id: own }: DeviceFeature): CommandTable {
  const shown = (device: Device): ListedDevice => ({ ...device, this_device: device.device_id === own })
  return {
    async device_list(paging) {
      const answer = await (await service()).list(paging)
      return toOutcome(answer, ({ items, next_cursor }) => ({ items: items.map(shown), next_cursor }))
    },
    async device_rename({ device_id, name }) {
      return toOutcome(await (await service()).rename(device_id, name), (device) => ({ device: shown(device) }))
    },
    async device_remove({ device_id }) {
      if (device_id === own) return { ok: false, code: 'transition_refused', message: 'this is the current device: sign out instead' }
      return toOutcome(await (await service()).remove(device_id), () => ({ device_id }))
    },
  }
}
