import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { taskTriggerTo } from './index.ts'
import { TaskStatusUpdate } from './schema.ts'

test('each state has its own fields and no others', () => {
  const updates = [
    { status: 'running', device_id: 'mara-laptop' },
    { status: 'completed', result: '{"rows":3}' },
    { status: 'failed', error: { message: 'no such folder' } },
    { status: 'canceled' },
    { status: 'pending' },
    { status: 'running', result: '{}' },
    { status: 'failed' },
    { status: 'completed', error: { message: 'no' } },
  ]
  expect(updates.map((update) => Value.Check(TaskStatusUpdate, update))).toEqual([true, true, true, true, false, false, false, false])
})

test('the states that can be requested are those that a trigger leads to', () => {
  expect(TaskStatusUpdate.anyOf.map((shape) => shape.properties.status.const)).toEqual(Object.keys(taskTriggerTo))
})
