import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { Count, Id, JsonText, Key, Line, nullable, object, oneOf, Timestamp } from '../shape.ts'
import { workflowRunStates } from './index.ts'

const eventFields = {
  event_id: Id,
  workflow_run_id: Id,
  workflow_id: Id,
  run_id: nullable(Id),
  device_id: Key,
  seq: Count,
  ts: Timestamp,
}

/** One fact in the life of a workflow's run: the payload of `workflow_run_events`. */
export const WorkflowRunEvent = Type.Union([
  object({ ...eventFields, kind: Type.Literal('state'), name: Line, state: oneOf(workflowRunStates) }),
  object({ ...eventFields, kind: Type.Literal('node.started'), node_id: Key, attempt: Count }),
  object({ ...eventFields, kind: Type.Literal('node.completed'), node_id: Key, attempt: Count, output: JsonText }),
  object({ ...eventFields, kind: Type.Literal('node.failed'), node_id: Key, attempt: Count, failure_contract: FailureContract }),
  object({ ...eventFields, kind: Type.Literal('node.skipped'), node_id: Key, reason: Line }),
])
export type WorkflowRunEvent = Static<typeof WorkflowRunEvent>
