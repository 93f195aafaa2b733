import Type, { type Static, type TProperties } from 'typebox'
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

const nodeFields = {
  node_id: Key,
  /** The iteration of the loop that the node is in. */
  iteration: Type.Optional(Count),
  /** The tool call that the node made. */
  call_id: Type.Optional(Key),
  /** Where the whole output is stored if it is too long for the event. */
  output_file_id: Type.Optional(Id),
}

/** The ids of an event, whatever its kind. */
export const WorkflowRunEventEnvelope = object({ ...eventFields, kind: Line })

function event<const Kind extends string, Fields extends TProperties>(kind: Kind, fields: Fields) {
  return object({ ...eventFields, kind: Type.Literal(kind), ...fields })
}

const writtenEvents = [
  event('started', { name: Line, inputs: Type.Optional(JsonText) }),
  event('state', { name: Line, state: oneOf(workflowRunStates) }),
  event('node.started', { ...nodeFields, attempt: Count }),
  event('node.waiting', { ...nodeFields, reason: Line }),
  event('node.completed', { ...nodeFields, attempt: Count, output: JsonText }),
  event('node.failed', { ...nodeFields, attempt: Count, failure_contract: FailureContract }),
  event('node.skipped', { ...nodeFields, reason: Line }),
  event('node.reset', nodeFields),
  event('node.compensated', nodeFields),
] as const

/** One event of a workflow run: the payload of `workflow_run_events`. */
export const WrittenWorkflowRunEvent = Type.Union([...writtenEvents])
export type WrittenWorkflowRunEvent = Static<typeof WrittenWorkflowRunEvent>

/** An event that a newer version wrote, as far as it can be shown. It is stored and synchronized unchanged. */
export const UnknownWorkflowRunEvent = event('unknown', {
  unknown_kind: Line,
  /** All its other fields, as JSON text. */
  fields: Type.String({ maxLength: 32 * 1024 * 1024, contentMediaType: 'application/json' }),
})

/** An event as a device reads it. */
export const WorkflowRunEvent = Type.Union([...writtenEvents, UnknownWorkflowRunEvent])
export type WorkflowRunEvent = Static<typeof WorkflowRunEvent>
