import { expect, test } from 'vitest'
import { distinctDeviceNames } from './index.ts'

const named = (...devices: readonly (readonly [string, string])[]) =>
  Object.fromEntries(distinctDeviceNames(devices.map(([device_id, name]) => ({ device_id, name }))))

test('only devices whose names look alike get the end of their ID', () => {
  expect(named(['01-aaaa', 'Laptop'], ['02-bbbb', 'Desk'], ['03-cccc', ' laptop '], ['04-dddd', 'Ｌaptop'])).toEqual({
    '01-aaaa': 'Laptop (aaaa)',
    '02-bbbb': 'Desk',
    '03-cccc': ' laptop  (cccc)',
    '04-dddd': 'Ｌaptop (dddd)',
  })
})

test('the end is as long as needed', () => {
  expect(named(['a1-0000', 'Desk'], ['b1-0000', 'Desk'], ['c2-0000', 'Desk'])).toEqual({
    'a1-0000': 'Desk (a1-0000)',
    'b1-0000': 'Desk (b1-0000)',
    'c2-0000': 'Desk (c2-0000)',
  })
})

test('every device has a name that no other one has', () => {
  const devices = Array.from({ length: 300 }, (_, at) => ({ device_id: `${at}-${at % 7}-${at % 3}abc`, name: `Device ${at % 5}` }))
  expect(new Set(distinctDeviceNames(devices).values()).size).toBe(300)
})
