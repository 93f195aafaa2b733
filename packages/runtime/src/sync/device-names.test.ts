import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDeviceNames } from './device-names.ts'
import { openDevices } from './devices.ts'
import { deviceAlone, type TestDevice } from './test-device.ts'

let device: TestDevice
beforeEach(() => {
  device = deviceAlone()
})
afterEach(() => device.dispose())

const told = (device_id: string, name: string) => ({ device_id, name, platform: 'linux', app_version: '1' }) as const

test('what the cloud told of a device is known without it, also after a restart; what it renamed has its new name', async () => {
  const names = () => openDeviceNames(device.store())
  const answers = [
    { items: [told('one', 'Kitchen'), told('two', 'two')], next_cursor: null },
    told('one', 'Kitchen'),
    told('one', 'Cellar'),
  ]
  const account = { call: async () => ({ kind: 'ok', body: answers.shift() as never }) as const }
  const devices = openDevices(account, { platform: 'linux', app_version: '1' }, (all) => names().learn(all))
  await devices.list({})
  device.restart()
  // One that nobody named is called by its id, which is no name.
  expect(['one', 'two', 'three'].map((device_id) => names().of(device_id))).toEqual(['Kitchen', null, null])
  await devices.rename('one', 'Cellar')
  expect(names().of('one')).toBe('Cellar')
})
