import { afterEach, beforeEach, expect, test } from 'vitest'
import { offlineDevice, type TestDevice } from '../../test/support/sync/test-device.ts'
import { openDeviceNames } from '../account/device-names.ts'
import { wipe } from '../account/wipe.ts'
import { openDevices } from './devices.ts'

let device: TestDevice
beforeEach(() => {
  device = offlineDevice()
})
afterEach(() => device.dispose())

const mara = { cloud_url: 'https://cloud.example.org', user_id: 'u', email: 'mara@example.org', session_id: 's', ended: null }
const told = (device_id: string, name: string) => ({ device_id, name, platform: 'linux', app_version: '1' }) as const

test('names that the cloud reported are known without it, also after a restart; renamed devices have their new name', async () => {
  const names = () => openDeviceNames(device.store())
  const answers = [
    { items: [told('one', 'Kitchen'), told('two', 'two')], next_cursor: null },
    told('one', 'Kitchen'),
    told('one', 'Cellar'),
  ]
  const account = { who: () => mara, call: async () => ({ kind: 'ok', body: answers.shift() as never }) as const }
  const devices = openDevices(account, { platform: 'linux', app_version: '1' }, (all) => names().learn(all))
  await devices.list({})
  device.restart()
  // A device without a name is shown by its id, which is not a name.
  expect(['one', 'two', 'three'].map((device_id) => names().of(device_id))).toEqual(['Kitchen', null, null])
  await devices.rename('one', 'Cellar')
  expect(names().of('one')).toBe('Cellar')
})

test('devices with the same name are told apart, and have their name alone when one is renamed', () => {
  const names = openDeviceNames(device.store())
  names.learn([told('01-aaaa', 'Laptop'), told('02-bbbb', 'Laptop'), told('03-cccc', 'Desk')])
  const all = () => ['01-aaaa', '02-bbbb', '03-cccc', 'none'].map((device_id) => names.of(device_id))
  expect(all()).toEqual(['Laptop (aaaa)', 'Laptop (bbbb)', 'Desk', null])
  names.learn([told('02-bbbb', 'Kitchen')])
  expect(all()).toEqual(['Laptop', 'Kitchen', 'Desk', null])
})

test('does not store what was requested before a wipe and arrives after it', async () => {
  const names = openDeviceNames(device.store())
  let who: typeof mara | null = mara
  const asked = Promise.withResolvers<{ kind: 'ok'; body: never }>()
  const devices = openDevices({ who: () => who, call: () => asked.promise }, { platform: 'linux', app_version: '1' }, names.learn)
  const listing = devices.list({})
  who = null
  wipe(device.store())
  const body = { items: [told('one', 'Kitchen')], next_cursor: null }
  asked.resolve({ kind: 'ok', body: body as never })
  expect(await listing).toEqual({ kind: 'ok', body })
  expect(names.of('one')).toBe(null)
})
