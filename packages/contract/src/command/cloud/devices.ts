import type { Static } from 'typebox'
import { Device, DeviceName } from '../../device/schema.ts'
import { Flag, Key, object, pageOf } from '../../shape.ts'
import { type Command, listParams } from '../command.ts'

export const ListedDevice = object({ ...Device.properties, this_device: Flag })
export type ListedDevice = Static<typeof ListedDevice>

export const deviceCommands = {
  device_list: {
    summary: 'List the devices of the account and whether each is online.',
    params: listParams({}),
    result: pageOf(ListedDevice),
  },
  device_rename: {
    summary: 'Rename a device of the account.',
    params: object({ device_id: Key, name: DeviceName }),
    result: object({ device: ListedDevice }),
  },
  device_remove: {
    summary: 'Remove another device from the account and end its sessions. Its local data is kept.',
    params: object({ device_id: Key }),
    result: object({ device_id: Key }),
  },
} satisfies Record<string, Command>
