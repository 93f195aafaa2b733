// Validates payloads against the contract as a reader does: additions of a newer Tandem are accepted. Invalid ones are kept aside.
import { type EntityPayload, toReadSchema, unknownFields } from '@tandem/contract/entity'
import { entityPayloads } from '@tandem/contract/entity/schema'
import type { UnknownStep } from '@tandem/contract/run'
import { StepEnvelope } from '@tandem/contract/run/schema'
import type { ChangePayload, EntityType } from '@tandem/contract/sync'
import { WorkflowRunEventEnvelope } from '@tandem/contract/workflow-run/schema'
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { RecordType } from '../../store/synchronized.ts'

const schemas = {
  ...entityPayloads,
  step_envelope: StepEnvelope,
  event_envelope: WorkflowRunEventEnvelope,
} satisfies Record<EntityType | 'step_envelope' | 'event_envelope', TSchema>

const compiled = new Map<keyof typeof schemas, Validator>()

function check(name: keyof typeof schemas, payload: unknown): boolean {
  const validator = compiled.get(name) ?? Compile(schemaOf(name))
  compiled.set(name, validator)
  return validator.Check(payload)
}

/** Fields next to the items of `todos` have no merge rule, so none are accepted. */
function schemaOf(name: keyof typeof schemas): TSchema {
  const open = toReadSchema(schemas[name])
  return (name === 'todos' ? { ...open, additionalProperties: false } : open) as TSchema
}

export function matchesSchema<Type extends EntityType>(type: Type, payload: unknown): payload is EntityPayload<Type> {
  return check(type, payload)
}

/** A step with a valid position, whatever its content. */
export function isStep(payload: unknown): payload is Static<typeof StepEnvelope> {
  return check('step_envelope', payload)
}

export function isWorkflowRunEvent(payload: unknown): payload is Static<typeof WorkflowRunEventEnvelope> {
  return check('event_envelope', payload)
}

/** What can be shown of a step that only a newer Tandem can read. */
export function unknownStep(payload: Static<typeof StepEnvelope>): UnknownStep {
  const { kind, step_id, run_id, conversation_id, agent_id, device_id, seq, ts, ...fields } = payload
  const place = { step_id, run_id, conversation_id, agent_id, device_id, seq, ts }
  return { ...place, kind: 'unknown', unknown_kind: kind, fields: JSON.stringify(fields) }
}

/** The fields of a record that this Tandem does not know, stored next to it. */
export function unknownOf(type: RecordType, payload: ChangePayload): string | null {
  const unknown = unknownFields(entityPayloads[type], payload)
  return unknown === null ? null : JSON.stringify(unknown)
}
