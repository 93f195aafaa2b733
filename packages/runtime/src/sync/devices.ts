// The devices of the account, as the cloud knows them.
import type { Device, DeviceRegistration } from '@tandem/contract/device'
import type { Account } from '../account/account.ts'
import type { Answer } from '../account/answer.ts'

export interface Devices {
  list(page: { readonly limit?: number; readonly cursor?: string }): Promise<Answer<{ items: Device[]; next_cursor: string | null }>>
  rename(device_id: string, name: string): Promise<Answer<Device>>
  remove(device_id: string): Promise<Answer<unknown>>
}

export type OwnDevice = Pick<DeviceRegistration, 'platform' | 'app_version'>

const path = '/api/v1/users/devices'

/** `own` stands in for a device that never said what it runs on: registering is how the cloud takes a name. `told` hears of every device that the cloud told of. */
export function openDevices(account: Pick<Account, 'call'>, own: OwnDevice, told: (devices: readonly Device[]) => void): Devices {
  return {
    async list({ limit, cursor }) {
      const query = new URLSearchParams({
        ...(limit === undefined ? {} : { limit: String(limit) }),
        ...(cursor === undefined ? {} : { cursor }),
      })
      const answer = await account.call<{ items: Device[]; next_cursor: string | null }>({ method: 'GET', path: `${path}?${query}` })
      if (answer.kind === 'ok') told(answer.body.items)
      return answer
    },
    async rename(device_id, name) {
      const known = await account.call<Device>({ method: 'GET', path: `${path}/${encodeURIComponent(device_id)}` })
      if (known.kind !== 'ok') return known
      const { platform = own.platform, app_version = own.app_version } = known.body
      const answer = await account.call<Device>({ method: 'POST', path, json: { device_id, name, platform, app_version } })
      if (answer.kind === 'ok') told([answer.body])
      return answer
    },
    remove: (device_id) => account.call({ method: 'DELETE', path: `${path}/${encodeURIComponent(device_id)}` }),
  }
}
