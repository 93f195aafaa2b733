import type { Transitions } from '../transition/index.ts'

export const taskStates = ['pending', 'running', 'completed', 'failed', 'canceled'] as const
export type TaskState = (typeof taskStates)[number]

export const taskTriggers = ['start', 'complete', 'fail', 'cancel'] as const
export type TaskTrigger = (typeof taskTriggers)[number]

export const taskTransitions = {
  noun: 'task',
  states: taskStates,
  triggers: taskTriggers,
  initial: 'pending',
  rows: [
    { from: ['pending'], on: 'start', to: 'running' },
    { from: ['running'], on: 'complete', to: 'completed' },
    { from: ['running'], on: 'fail', to: 'failed' },
    { from: ['pending', 'running'], on: 'cancel', to: 'canceled' },
  ],
} satisfies Transitions<TaskState, TaskTrigger>

/** `PUT /api/v1/tasks/:id/status` names the new state; this is the trigger that leads there. */
export const taskTriggerTo = {
  running: 'start',
  completed: 'complete',
  failed: 'fail',
  canceled: 'cancel',
} as const satisfies Record<Exclude<TaskState, 'pending'>, TaskTrigger>
