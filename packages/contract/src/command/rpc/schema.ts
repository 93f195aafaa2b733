// The envelope of the loopback channel. The content of a call is defined by the schema of its command.
import Type, { type Static } from 'typebox'
import { FailureContract } from '../../failure/schema.ts'
import { RunStep } from '../../run/schema.ts'
import { Count, Id, Line, listOf, nullable, object, oneOf, Text, Timestamp } from '../../shape.ts'
import { commandErrorCodes } from '../error.ts'
import type { CommandName } from '../index.ts'
import { RecordedEvent } from '../runtime/host.ts'
import type { CommandParams, CommandResult } from '../schema.ts'
import { rpcTopics } from './message.ts'

const version = { jsonrpc: Type.Literal('2.0') }
const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const RpcId = Type.Union([Whole, Type.String({ minLength: 1, maxLength: 100 })])
export type RpcId = Static<typeof RpcId>

/** A call of one command. */
export interface RpcRequest<Name extends CommandName = CommandName> {
  readonly jsonrpc: '2.0'
  readonly id: RpcId
  readonly method: Name
  readonly params: CommandParams<Name>
}

export interface RpcResult<Name extends CommandName = CommandName> {
  readonly jsonrpc: '2.0'
  readonly id: RpcId
  readonly result: CommandResult<Name>
}

export const RpcError = object({
  ...version,
  /** Null if the message was too broken to have one. */
  id: nullable(RpcId),
  error: object({
    code: Type.Integer(),
    message: Text,
    data: Type.Optional(
      object({
        code: oneOf(commandErrorCodes),
        message: Text,
        remedy: Text,
        failure_contract: Type.Optional(FailureContract),
      }),
    ),
  }),
})
export type RpcError = Static<typeof RpcError>

export const SubscribeParams = object({
  topics: listOf(oneOf(rpcTopics), { minItems: 1, maxItems: rpcTopics.length }),
  run_id: Type.Optional(Id),
  /** First the events recorded after this one, then new events; 0 for all of them. Without it, only new events. */
  after_event: Type.Optional(Whole),
  /** The same for the steps of `run_id`; -1 for all of them. */
  after_seq: Type.Optional(Type.Integer({ minimum: -1, maximum: Number.MAX_SAFE_INTEGER })),
})
export type SubscribeParams = Static<typeof SubscribeParams>

export const RpcSubscription = object({ subscription_id: Line })
export type RpcSubscription = Static<typeof RpcSubscription>

export const RpcUnsubscription = object({ ended: Type.Boolean() })

/** Text that is still arriving. A `status` shows what is being done for a call: each replaces the last, and an empty one clears it. */
export const Delta = object({
  run_id: Id,
  conversation_id: Id,
  kind: oneOf(['text', 'thinking', 'progress', 'status']),
  /** The message, thought or call it belongs to. */
  id: Line,
  /** The offset of this piece in the whole text, in characters, so that a gap is detected. */
  offset: Count,
  text: Type.String(),
})
export type Delta = Static<typeof Delta>

const of = { subscription_id: Line }

/** Steps and events of a subscription arrive once and in order. `lagging` ends it: subscribe again after the last one received. */
export const RpcNotification = Type.Union([
  object({ ...version, method: Type.Literal('event'), params: object({ ...of, ...RecordedEvent.properties }) }),
  object({ ...version, method: Type.Literal('step'), params: object({ ...of, step: RunStep }) }),
  object({ ...version, method: Type.Literal('delta'), params: object({ ...of, delta: Delta }) }),
  object({
    ...version,
    method: Type.Literal('lagging'),
    params: object({ ...of, after_event: nullable(Whole), after_seq: nullable(Type.Integer({ minimum: -1 })) }),
  }),
])
export type RpcNotification = Static<typeof RpcNotification>

/** `runtime.json`: readable only by its owner. */
export const RuntimeFile = object({
  pid: Type.Integer({ minimum: 1 }),
  url: Type.String({ pattern: '^http://127\\.0\\.0\\.1:\\d+/$' }),
  token: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  started_at: Timestamp,
})
export type RuntimeFile = Static<typeof RuntimeFile>
