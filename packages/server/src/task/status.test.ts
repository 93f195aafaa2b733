import { type Task, type TaskStatusUpdate, taskStates, taskTransitions, taskTriggerTo } from '@tandem/contract/task'
import { expect, test } from 'vitest'
import { statesAfter, withStatus } from './status.ts'

const early = '2026-09-21T07:40:12.345Z'
const later = '2026-09-21T08:02:45.120Z'
const task: Task = {
  id: '01996f31-57ee-7e90-a2c8-4b6d1f3a5e07',
  title: 'Weekly report',
  status: 'pending',
  status_ts: early,
  version: 1,
  created_at: early,
  updated_at: early,
}
const running: Task = { ...task, status: 'running', device_id: 'laptop' }

test('the possible next states are those of the table', () => {
  expect(Object.fromEntries(taskStates.map((state) => [state, statesAfter(state)]))).toEqual({
    pending: ['running', 'canceled'],
    running: ['completed', 'failed', 'canceled'],
    completed: [],
    failed: [],
    canceled: [],
  })
})

test('every pair of states is either in the table or refused with the possible ones', () => {
  const asked = Object.keys(taskTriggerTo) as TaskStatusUpdate['status'][]
  for (const from of taskStates) {
    for (const to of asked) {
      const update: TaskStatusUpdate = to === 'failed' ? { status: to, error: { message: 'no' } } : { status: to }
      const outcome = withStatus({ ...task, status: from }, update, later)
      const inTable = taskTransitions.rows.some((row) => row.to === to && row.from.some((state) => state === from))
      expect([from, to, outcome.ok]).toEqual([from, to, inTable])
      if (!outcome.ok) expect(outcome).toMatchObject({ code: 'transition_refused', allowed: statesAfter(from) })
    }
  }
})

test('a task without a device is assigned to the one that starts it', () => {
  expect(withStatus(task, { status: 'running', device_id: 'laptop' }, later)).toEqual({
    ok: true,
    task: { ...task, status: 'running', device_id: 'laptop', status_ts: later, updated_at: later, version: 2 },
  })
  expect(withStatus(task, { status: 'running' }, later)).toMatchObject({ ok: true, task: { status: 'running', version: 2 } })
})

test('only its device can work on a task; any can cancel it', () => {
  const foreign = withStatus(running, { status: 'completed', device_id: 'phone' }, later)
  expect(foreign).toEqual({ ok: false, code: 'wrong_device', message: `task ${task.id} is assigned to the device laptop, not to phone` })
  const bound: Task = { ...task, device_id: 'laptop' }
  expect(withStatus(bound, { status: 'running', device_id: 'phone' }, later)).toMatchObject({ ok: false, code: 'wrong_device' })
  expect(withStatus(running, { status: 'canceled', device_id: 'phone' }, later)).toMatchObject({ ok: true, task: { device_id: 'laptop' } })
  expect(withStatus(task, { status: 'canceled', device_id: 'phone' }, later)).toEqual({
    ok: true,
    task: { ...task, status: 'canceled', status_ts: later, updated_at: later, version: 2 },
  })
})

test('each final state sets its own fields; the time never goes back', () => {
  expect(withStatus(running, { status: 'completed', device_id: 'laptop', result: '{"rows":3}' }, later)).toMatchObject({
    task: { result: '{"rows":3}' },
  })
  expect(withStatus(running, { status: 'failed', error: { message: 'no such folder' } }, later)).toMatchObject({
    task: { error: { message: 'no such folder' } },
  })
  expect(withStatus({ ...running, updated_at: later }, { status: 'canceled' }, early)).toMatchObject({
    task: { status_ts: later, updated_at: later },
  })
})
