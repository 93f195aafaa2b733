import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { pageQuery } from '../http/list.ts'
import { Id, JsonText, Key, Line, object, oneOf, Text, Timestamp, Version } from '../shape.ts'
import { taskStates } from './state.ts'

export const TaskState = oneOf(taskStates)

export const TaskError = object({ message: Text, failure_contract: Type.Optional(FailureContract) })
export type TaskError = Static<typeof TaskError>

const head = {
  title: Line,
  description: Type.Optional(Text),
  workflow_id: Type.Optional(Id),
  /** The device that should run it; without one, the first device that starts it. */
  device_id: Type.Optional(Key),
}

const progress = {
  status: TaskState,
  status_ts: Timestamp,
  error: Type.Optional(TaskError),
  version: Version,
  created_at: Timestamp,
  updated_at: Timestamp,
}

/** A piece of work that the cloud stores and a device runs. */
export const Task = object({ id: Id, ...head, input: Type.Optional(JsonText), ...progress, result: Type.Optional(JsonText) })
export type Task = Static<typeof Task>

/** A task in a list: without its input and output, which may be large. */
export const TaskSummary = object({ id: Id, ...head, ...progress })
export type TaskSummary = Static<typeof TaskSummary>

export const TaskCreate = object({ ...head, input: Type.Optional(JsonText) })
export type TaskCreate = Static<typeof TaskCreate>

export const TaskListQuery = object({
  ...pageQuery,
  status: Type.Optional(TaskState),
  device_id: Type.Optional(Key),
  workflow_id: Type.Optional(Id),
})
export type TaskListQuery = Static<typeof TaskListQuery>

/** Each state has its own fields and no others. `device_id` is the device that reports it. */
export const TaskStatusUpdate = Type.Union([
  object({ status: Type.Literal('running'), device_id: Type.Optional(Key) }),
  object({ status: Type.Literal('completed'), device_id: Type.Optional(Key), result: Type.Optional(JsonText) }),
  object({ status: Type.Literal('failed'), device_id: Type.Optional(Key), error: TaskError }),
  object({ status: Type.Literal('canceled'), device_id: Type.Optional(Key) }),
])
export type TaskStatusUpdate = Static<typeof TaskStatusUpdate>
