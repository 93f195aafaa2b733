import Type, { type Static, type TProperties } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { limits } from '../limits/index.ts'
import { Count, Id, JsonText, Key, Line, listOf, nullable, object, oneOf, Sha256, Timestamp } from '../shape.ts'
import { workflowOutcomes } from '../workflow/definition.ts'
import { workflowRunStates, workflowWaits } from './state.ts'

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
  /** The rounds of the loops that the node is in, outermost first, from 0. */
  iteration: Type.Optional(listOf(Count, { maxItems: limits.workflow_depth })),
  /** The tool call that the node made. Its output is there. */
  call_id: Type.Optional(Key),
  /** The run of an agent, or of another workflow, that the node started. */
  child_run_id: Type.Optional(Id),
  /** Where the whole output is stored if it is too long for the event. */
  output_file_id: Type.Optional(Id),
}

/** The ids of an event, whatever its kind. */
export const WorkflowRunEventEnvelope = object({ ...eventFields, kind: Line })

function event<const Kind extends string, Fields extends TProperties>(kind: Kind, fields: Fields) {
  return object({ ...eventFields, kind: Type.Literal(kind), ...fields })
}

const writtenEvents = [
  event('started', {
    name: Line,
    /** The agent whose policy applies. */
    owner_agent_id: Key,
    inputs: Type.Optional(JsonText),
    definition_sha256: Sha256,
    /** As JSON, or as a file if it is too long for the event. */
    definition: Type.Optional(Type.String({ maxLength: limits.workflow_event_bytes, contentMediaType: 'application/json' })),
    definition_file_id: Type.Optional(Id),
  }),
  event('state', { name: Line, state: oneOf(workflowRunStates), reason: Type.Optional(Line) }),
  event('node.started', { ...nodeFields, attempt: Count }),
  event('node.waiting', { ...nodeFields, waits_for: oneOf(workflowWaits), reason: Line, until: Type.Optional(Timestamp) }),
  event('node.completed', { ...nodeFields, attempt: Count, outcome: oneOf(workflowOutcomes), output: Type.Optional(JsonText) }),
  event('node.failed', { ...nodeFields, attempt: Count, failure_contract: FailureContract }),
  /** With an outcome if a person skipped it: what follows goes on as if it had ended like this. */
  event('node.skipped', { ...nodeFields, reason: Line, outcome: Type.Optional(oneOf(workflowOutcomes)) }),
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
