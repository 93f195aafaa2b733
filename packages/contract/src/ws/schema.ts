import Type, { type Static } from 'typebox'
import { AccessToken } from '../auth/schema.ts'
import { Presence } from '../device/schema.ts'
import { ProblemCode } from '../problem/schema.ts'
import { Id, Key, Line, listOf, object, Text, Timestamp } from '../shape.ts'
import { EntityType, Epoch } from '../sync/schema.ts'
import { TaskState } from '../task/schema.ts'

export const ClientMessage = Type.Union([
  /** The first message, unless the token came as a subprotocol; sent again with each new token, so that the socket outlives the old one. */
  object({ type: Type.Literal('auth'), token: AccessToken, device_id: Type.Optional(Key) }),
  object({ type: Type.Literal('ping'), id: Type.Optional(Line) }),
])
export type ClientMessage = Static<typeof ClientMessage>

/** Enough to decide whether it matters; the task itself is read over HTTP. */
const task = { task_id: Id, device_id: Type.Optional(Key), status: TaskState, status_ts: Timestamp }

export const ServerMessage = Type.Union([
  /** The response to each `auth`, and sent again whenever messages may have been lost: the client then pulls. */
  object({ type: Type.Literal('hello'), session_id: Id, server_ts: Timestamp, epoch: Type.Optional(Epoch) }),
  /** `device_id` wrote it: that device need not pull. */
  object({ type: Type.Literal('sync.changed'), cursor_ts: Timestamp, entity_types: listOf(EntityType), device_id: Key }),
  object({ type: Type.Literal('task.created'), ...task }),
  object({ type: Type.Literal('task.updated'), ...task }),
  object({ type: Type.Literal('task.canceled'), ...task }),
  object({ type: Type.Literal('device.presence'), device_id: Key, presence: Presence, ts: Timestamp }),
  object({ type: Type.Literal('pong'), id: Type.Optional(Line), server_ts: Timestamp }),
  object({ type: Type.Literal('error'), code: ProblemCode, detail: Text, remedy: Line }),
])
export type ServerMessage = Static<typeof ServerMessage>
