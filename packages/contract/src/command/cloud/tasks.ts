import Type, { type Static } from 'typebox'
import { Id, Key, Line, nullable, object, oneOf, pageOf, Text, Timestamp } from '../../shape.ts'
import { TaskCreate, TaskState } from '../../task/schema.ts'
import { type Command, listParams } from '../command.ts'
import { taskModes, taskStages } from './names.ts'

/** A task of the cloud from the view of this device. */
export const ListedTask = object({
  task_id: Id,
  title: Line,
  description: nullable(Text),
  /** The device it is assigned to; null if the first device that starts it gets it. */
  device_id: nullable(Key),
  status: TaskState,
  /** Why it failed. */
  error: nullable(Text),
  /** Null while this device is not involved. */
  stage: nullable(oneOf(taskStages)),
  /** The run that executes or executed it on this device. */
  run_id: nullable(Id),
  created_at: Timestamp,
})
export type ListedTask = Static<typeof ListedTask>

const of = object({ task_id: Id })
const result = object({ task: ListedTask })
const mode = object({ mode: oneOf(taskModes) })

export const taskCommands = {
  task_list: {
    summary: 'List tasks, newest first: those for this device, also offline, or all tasks of the account.',
    params: listParams({ where: Type.Optional(oneOf(['here', 'cloud'], { default: 'here' })), status: Type.Optional(TaskState) }),
    result: pageOf(ListedTask),
  },
  task_create: {
    summary: 'Send a task to a device, or to the first device that starts it. It runs there with the approvals of that device.',
    params: object({
      ...TaskCreate.properties,
      /** Repeating the call with the same key creates only one task. */
      key: Type.Optional(Key),
    }),
    result,
  },
  task_accept: {
    summary: 'Run an offered task on this device, as a normal run.',
    params: of,
    result,
  },
  task_decline: {
    summary: 'Decline an offered task; it is canceled.',
    params: of,
    result,
  },
  task_get_mode: {
    summary: 'Show what this device does with tasks that arrive for it.',
    params: object({}),
    result: mode,
  },
  task_set_mode: {
    summary: 'Choose whether tasks for this device are offered, or start automatically with the normal approvals.',
    params: mode,
    result: mode,
  },
} satisfies Record<string, Command>
