import Type, { type Static, type TLiteral, type TObject, type TOptional, type TSchema } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { Id, Key, nullable, object, Timestamp } from '../shape.ts'
import { type EventName, type EventScope, eventNames, events } from './index.ts'
import { learningEvents } from './learning-events.ts'
import { runEvents } from './run-events.ts'

/** The `data` of every event. */
export const eventPayloads = { ...learningEvents, ...runEvents } satisfies Record<EventName, TSchema>
export type EventData<Name extends EventName> = Static<(typeof eventPayloads)[Name]>

const around = { agent_id: nullable(Key), conversation_id: nullable(Id), run_id: nullable(Id), step_id: nullable(Id) }
const scopes = {
  device: around,
  agent: { ...around, agent_id: Key },
  run: { ...around, agent_id: Key, conversation_id: Id, run_id: Id },
  step: { agent_id: Key, conversation_id: Id, run_id: Id, step_id: Id },
} satisfies Record<EventScope, Record<keyof typeof around, TSchema>>

type EventSchemaRow<Name extends EventName> = (typeof events)[Name]
type Ids<Name extends EventName> = (typeof scopes)[EventSchemaRow<Name>['scope']]
type Failure<Name extends EventName> = EventSchemaRow<Name>['key_failure'] extends true
  ? typeof FailureContract
  : TOptional<typeof FailureContract>

/** The common envelope, with the ids that its scope requires. */
type Envelope<Name extends EventName> = TObject<{
  event_id: typeof Id
  event: TLiteral<Name>
  ts: typeof Timestamp
  agent_id: Ids<Name>['agent_id']
  conversation_id: Ids<Name>['conversation_id']
  run_id: Ids<Name>['run_id']
  step_id: Ids<Name>['step_id']
  failure_contract: Failure<Name>
  data: (typeof eventPayloads)[Name]
}>

/** Every complete event, by name. */
export const runtimeEvents = Object.fromEntries(eventNames.map((name) => [name, envelope(name)])) as {
  [Name in EventName]: Envelope<Name>
}
export type EventOf<Name extends EventName> = Static<(typeof runtimeEvents)[Name]>

export type RuntimeEvent = { [Name in EventName]: EventOf<Name> }[EventName]
export const RuntimeEvent = Type.Unsafe<RuntimeEvent>(Type.Union(Object.values(runtimeEvents)))

function envelope(name: EventName) {
  const { scope, key_failure } = events[name]
  return object({
    event_id: Id,
    event: Type.Literal(name),
    ts: Timestamp,
    ...scopes[scope],
    failure_contract: key_failure ? FailureContract : Type.Optional(FailureContract),
    data: eventPayloads[name],
  })
}
