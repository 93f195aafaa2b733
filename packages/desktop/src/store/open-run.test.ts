import { expect, test } from 'vitest'
import { isElsewhere, openRunIn } from './open-run.ts'

const status = { device_id: 'laptop' }
const run = (device_id: string, state: 'running' | 'paused' | 'completed', conversation_id = 'c') => ({ device_id, state, conversation_id })

test('a run belongs elsewhere when its device is not this one, as far as that is known', () => {
  expect(isElsewhere({ status }, run('sofa', 'running'))).toBe(true)
  expect(isElsewhere({ status }, run('laptop', 'running'))).toBe(false)
  expect(isElsewhere({ status: null }, run('sofa', 'running'))).toBe(false)
  expect(isElsewhere({ status }, null)).toBe(false)
})

test('what holds a conversation is its open run, that of this device before one of another', () => {
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
