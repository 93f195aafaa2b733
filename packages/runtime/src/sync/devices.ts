// The devices of the account, as the cloud has them.
import type { Device, DeviceRegistration } from '@tandem/contract/device'
import type { Account } from '../account/account.ts'
import type { CloudResult } from '../account/cloud-result.ts'

export interface Devices {
  list(page: { readonly limit?: number; readonly cursor?: string }): Promise<CloudResult<{ items: Device[]; next_cursor: string | null }>>
  rename(device_id: string, name: string): Promise<CloudResult<Device>>
  remove(device_id: string): Promise<CloudResult<unknown>>
}

export type OwnDevice = Pick<DeviceRegistration, 'platform' | 'app_version'>

const path = '/api/v1/users/devices'

/**
 * `own` is used for a device that has not reported its platform: registering is how the cloud sets a name. `told` is called with every
 * device that the cloud reports.
 */
export function openDevices(account: Pick<Account, 'call' | 'who'>, own: OwnDevice, told: (devices: readonly Device[]) => void): Devices {
  /** If the user signed out meanwhile, everything may have been wiped: results requested before are discarded. */
  async function reportDevices<Body>(
    answering: Promise<CloudResult<Body>>,
    devicesIn: (body: Body) => readonly Device[],
  ): Promise<CloudResult<Body>> {
    const asking = account.who()?.session_id
    const answer = await answering
    if (answer.kind === 'ok' && account.who()?.session_id === asking) told(devicesIn(answer.body))
    return answer
  }

  return {
    async list({ limit, cursor }) {
      const query = new URLSearchParams({
        ...(limit === undefined ? {} : { limit: String(limit) }),
        ...(cursor === undefined ? {} : { cursor }),
      })
      const asked = account.call<{ items: Device[]; next_cursor: string | null }>({ method: 'GET', path: `${path}?${query}` })
      return await reportDevices(asked, ({ items }) => items)
    },
    async rename(device_id, name) {
      const known = await account.call<Device>({ method: 'GET', path: `${path}/${encodeURIComponent(device_id)}` })
      if (known.kind !== 'ok') return known
      const { platform = own.platform, app_version = own.app_version } = known.body
      const asked = account.call<Device>({ method: 'POST', path, json: { device_id, name, platform, app_version } })
      return await reportDevices(asked, (device) => [device])
    },
    remove: (device_id) => account.call({ method: 'DELETE', path: `${path}/${encodeURIComponent(device_id)}` }),
  }
}
