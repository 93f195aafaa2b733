import { expect, test } from 'vitest'
import { isOnOtherDevice, openRunIn } from './open-run.ts'

const status = { device_id: 'laptop' }
const run = (device_id: string, state: 'running' | 'paused' | 'completed', conversation_id = 'c') => ({ device_id, state, conversation_id })

test('a run belongs to another device if its device id is known to differ', () => {
  expect(isOnOtherDevice({ status }, run('sofa', 'running'))).toBe(true)
  expect(isOnOtherDevice({ status }, run('laptop', 'running'))).toBe(false)
  expect(isOnOtherDevice({ status: null }, run('sofa', 'running'))).toBe(false)
  expect(isOnOtherDevice({ status }, null)).toBe(false)
})

test('the open run of a conversation is preferably one of this device', () => {
  const runs = new Map([
    ['1', run('laptop', 'running', 'd')],
    ['2', run('laptop', 'completed')],
    ['3', run('sofa', 'paused')],
    ['4', run('sofa', 'running')],
  ])
  expect(openRunIn({ status, runs }, 'c')).toBe(runs.get('3'))
  runs.set('5', run('laptop', 'paused'))
  expect(openRunIn({ status, runs }, 'c')).toBe(runs.get('5'))
  expect(openRunIn({ status, runs }, 'd')).toBe(runs.get('1'))
  expect(openRunIn({ status, runs }, 'e')).toBe(null)
})
