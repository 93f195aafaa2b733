import Type, { type Static } from 'typebox'
import { Id, Key, Line, nullable, object, oneOf, pageOf, Text, Timestamp } from '../../shape.ts'
import { TaskCreate, TaskState } from '../../task/schema.ts'
import { type Command, listParams } from '../command.ts'
import { taskModes, taskStages } from './names.ts'

/** A task of the cloud as this device sees it. */
export const ListedTask = object({
  task_id: Id,
  title: Line,
  description: nullable(Text),
  /** The device it names; null for whichever starts it first. */
  device_id: nullable(Key),
  status: TaskState,
  /** Why it failed. */
  error: nullable(Text),
  /** Null while this device has nothing to do with it. */
  stage: nullable(oneOf(taskStages)),
  /** The run that does it, or did it, on this device. */
  run_id: nullable(Id),
  created_at: Timestamp,
})
export type ListedTask = Static<typeof ListedTask>

const of = object({ task_id: Id })
const result = object({ task: ListedTask })
const mode = object({ mode: oneOf(taskModes) })

export const taskCommands = {
  task_list: {
    summary: 'List tasks, the newest first: those that concern this device, also offline, or all that the cloud has.',
    params: listParams({ where: Type.Optional(oneOf(['here', 'cloud'], { default: 'here' })), status: Type.Optional(TaskState) }),
    result: pageOf(ListedTask),
  },
  task_create: {
    summary: 'Send a task to a device, or to whichever starts it first; it runs there under the approvals of that device.',
    params: object({
      ...TaskCreate.properties,
      /** Repeating the call with the same key makes nothing twice. */
      key: Type.Optional(Key),
    }),
    result,
  },
  task_accept: {
    summary: 'Run an offered task here, as a run like any other.',
    params: of,
    result,
  },
  task_decline: {
    summary: 'Say no to an offered task: it ends as canceled.',
    params: of,
    result,
  },
  task_get_mode: {
    summary: 'Show what happens to tasks that arrive for this device.',
    params: object({}),
    result: mode,
  },
  task_set_mode: {
    summary: 'Say whether tasks that name this device are offered, or start by themselves under the normal approvals.',
    params: mode,
    result: mode,
  },
} satisfies Record<string, Command>
