// The names of the account's devices, stored so that they can be shown while the cloud is unreachable.
import { type Device, distinctDeviceNames } from '@tandem/contract/device'
import type { Store } from '../store/store.ts'

export interface DeviceNames {
  /** By which the user can tell it from the others; null for a device that the cloud has not reported. */
  of(device_id: string): string | null
  learn(devices: readonly Pick<Device, 'device_id' | 'name'>[]): void
}

export function openDeviceNames({ sql }: Pick<Store, 'sql'>): DeviceNames {
  const entry = (device_id: string) => `name_of ${device_id}`
  return {
    of(device_id) {
      const rows = sql.all<{ name: string; value: string }>`SELECT name, value FROM meta WHERE name >= ${entry('')} AND name < 'name_of!'`
      const known = rows.map(({ name, value }) => ({ device_id: name.slice(entry('').length), name: value }))
      return distinctDeviceNames(known).get(device_id) ?? null
    },
    learn(devices) {
      // A device without a name is shown by its id.
      for (const { device_id, name } of devices)
        if (name !== device_id) sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${entry(device_id)}, ${name})`
    },
  }
}
