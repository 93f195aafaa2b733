// The names of devices, by which the user can tell them apart.
import type { ListedDevice } from '@tandem/contract/command'
import { distinctDeviceNames } from '@tandem/contract/device'
import { useMemo } from 'react'
import type { CallResult } from '../connection/channel.ts'
import type { RuntimeClient } from './client.ts'
import { readAll } from './pages.ts'
import { useRuntimeClient } from './use-client.ts'
import { useRequest } from './use-request.ts'

type Devices = CallResult<readonly ListedDevice[]>

/** A page can name a device many times: the cloud is asked once. */
const readings = new WeakMap<RuntimeClient, Promise<Devices>>()
const fresh_ms = 5_000

/** The name of another device, if the cloud knows it. */
export function useDeviceName(device_id: string): string | null {
  const client = useRuntimeClient()
  const { state: asked } = useRequest(`name of ${device_id}`, () => (device_id === '' ? nothing : readDevices(client)))
  const devices = asked.state === 'ready' ? asked.value : null
  const names = useMemo(() => distinctDeviceNames(devices ?? []), [devices])
  return names.get(device_id) ?? null
}

const nothing: Promise<Devices> = Promise.resolve({ ok: true, value: [] })

function readDevices(client: RuntimeClient): Promise<Devices> {
  const running = readings.get(client)
  if (running) return running
  const reading = readAll(client.channel, 'device_list', {}).then(
    (read): Devices => (read.ok ? { ok: true, value: read.value.items } : read),
  )
  readings.set(client, reading)
  client.clock.after(fresh_ms, () => readings.delete(client))
  return reading
}
