import Type, { type Static } from 'typebox'
import { limits } from '../limits/index.ts'
import { Count, Flag, Id, Key, Line, listOf, object, oneOf, Timestamp, Version } from '../shape.ts'
import { entityTypeNames } from './entity-types.ts'
import { rejectionCodes } from './merge.ts'

export const EntityType = oneOf(entityTypeNames)

/** Opaque to the cloud, except for the items of `todos`. */
export const ChangePayload = Type.Record(Type.String(), Type.Unknown(), { description: 'Entity content' })
export type ChangePayload = Static<typeof ChangePayload>

/** One write of one entity; the same record in the push request and in the pull response. */
export const Change = object({
  entity_type: EntityType,
  entity_id: Key,
  op: oneOf(['upsert', 'delete']),
  version: Version,
  updated_at: Timestamp,
  source_ts: Timestamp,
  payload: ChangePayload,
})
export type Change = Static<typeof Change>

/** Only the envelope is checked as a whole: a change that is not a `Change` gets its own verdict and does not fail the others. */
export const PushRequest = object({
  device_id: Key,
  changes: listOf(Type.Unsafe<Change>(Type.Unknown({ description: 'A change record' })), {
    maxItems: limits.push_changes,
  }),
})
export type PushRequest = Static<typeof PushRequest>

const accepted = { index: Count, entity_id: Type.String() }

/** The entity after the push. If many changes affect one large entity, only the last verdict on it has it. */
const carried = Type.Optional(Change)

/** The result of one pushed change. */
export const Verdict = Type.Union([
  object({ ...accepted, verdict: Type.Literal('applied') }),
  object({ ...accepted, verdict: Type.Literal('duplicate') }),
  object({ ...accepted, verdict: Type.Literal('merged'), result: carried }),
  object({ ...accepted, verdict: Type.Literal('stale'), winner: carried }),
  object({
    ...accepted,
    verdict: Type.Literal('rejected'),
    code: oneOf(rejectionCodes),
    message: Type.String(),
    /** With `clock_skew`: the server's time, to correct the device's clock. */
    server_ts: Type.Optional(Timestamp),
  }),
])
export type Verdict = Static<typeof Verdict>

/** Identifies one history of one database; another epoch means a restored backup. */
export const Epoch = Line

export const PushReply = object({ verdicts: listOf(Verdict), cursor_ts: Timestamp, server_ts: Timestamp, epoch: Epoch })
export type PushReply = Static<typeof PushReply>

export const PullQuery = object({
  cursor_ts: Type.Optional(Timestamp),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pull_rows })),
  entity_types: Type.Optional(Type.String({ pattern: '^[a-z_]+(?:,[a-z_]+)*$', description: 'Comma-separated entity types' })),
  device_id: Type.Optional(Key),
  snapshot_ts: Type.Optional(Timestamp),
})
export type PullQuery = Static<typeof PullQuery>

export const PullReply = object({
  changes: listOf(Change),
  has_more: Flag,
  cursor_ts: Timestamp,
  epoch: Epoch,
  snapshot_ts: Type.Optional(Timestamp),
})
export type PullReply = Static<typeof PullReply>

export const todoStates = ['pending', 'in_progress', 'completed', 'canceled', 'deleted'] as const

/** One item of the `todos` payload. Deleting is a state, so that a delete merges like any other. */
export const TodoItem = object({
  id: Key,
  title: Line,
  state: oneOf(todoStates),
  state_ts: Timestamp,
  note: Type.Optional(Type.String({ maxLength: 4_000 })),
  position: Type.Optional(Type.Number()),
  run_id: Type.Optional(Id),
})
export type TodoItem = Static<typeof TodoItem>

/** The payload of a `todos` entity; its `entity_id` is the conversation's id. */
export const TodosPayload = object({ todos: listOf(TodoItem, { maxItems: 500 }) })
export type TodosPayload = Static<typeof TodosPayload>

/**
 * All that the cloud requires of an item: newer clients may send unknown fields. No other fields are allowed next to the items, because
 * there is no rule to merge them.
 */
export const MergeableTodos = object({
  todos: Type.Array(Type.Object({ id: Key, state_ts: Timestamp }), { maxItems: 500 }),
})
