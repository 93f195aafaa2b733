// One pushed change: checked against the contract, then prepared for merging and storing.
import { hash } from 'node:crypto'
import { limits } from '@tandem/contract/limits'
import {
  type Change,
  type ChangePayload,
  contentText,
  type EntityType,
  type EntityWrite,
  isClockSkewed,
  isEntityType,
  type RejectionCode,
  type TodoItemLike,
} from '@tandem/contract/sync'
import { Change as ChangeSchema, MergeableTodos } from '@tandem/contract/sync/schema'
import { fieldErrors, fieldName, type SchemaError } from '@tandem/contract/validation'
import { Compile } from 'typebox/compile'
import { unstorablePart } from '../http/body/json-body.ts'
import { sample } from '../http/validation/sample.ts'

export interface IncomingChange {
  /** Type and id combined. */
  readonly key: string
  readonly entity_type: EntityType
  readonly entity_id: string
  readonly source_ts: string
  readonly write: EntityWrite
  /** The change as the JSON that is returned. */
  readonly record: string
}

export interface Rejection {
  readonly code: RejectionCode
  readonly message: string
  readonly server_ts?: string
}

export type ChangeResult = { readonly ok: true; readonly incoming: IncomingChange } | { readonly ok: false; readonly rejection: Rejection }

const changeShape = Compile(ChangeSchema)
const todosShape = Compile(MergeableTodos)
const fields = Object.keys(ChangeSchema.properties)
const maxItems = 500
const tooDeep = '`payload` is nested too deeply to be written as JSON'

export function readChange(value: unknown, deviceId: string, serverTs: string): ChangeResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return rejected('invalid', 'the change is not an object')
  if ('entity_type' in value && typeof value.entity_type === 'string' && !isEntityType(value.entity_type)) {
    return rejected('unknown_entity_type', `this server does not know the entity type ${JSON.stringify(value.entity_type.slice(0, 100))}`)
  }
  const unkept = unstorablePart(value)
  if (unkept !== undefined) return rejected('invalid', unkept)
  const excess = excessOf(value)
  if (excess) return { ok: false, rejection: excess }
  if (!changeShape.Check(value)) return rejected('invalid', faultOf(changeShape.Errors(sample(value)), ''))

  const content = contentOf(value.op, value.payload)
  if (!content) return rejected('invalid', tooDeep)

  const todos = todosOf(value)
  if (todos === 'invalid') return rejected('invalid', faultOf(todosShape.Errors(sample(value.payload)), '/payload'))

  const { entity_type, entity_id, op, version, updated_at, source_ts } = value
  const marks = { op, version, updated_at, device_id: deviceId, ...(todos && { todos }) }
  // A time that is not ahead needs no check.
  if ((todos !== undefined || updated_at > serverTs) && isClockSkewed(marks, serverTs)) {
    const message = `a time in this change is more than ${limits.clock_skew_ms / 60_000} minutes ahead of the server`
    return { ok: false, rejection: { code: 'clock_skew', message, server_ts: serverTs } }
  }
  const write = { ...marks, content_hash: content.hash }
  const record = recordText(value, content.json)
  const key = `${entity_type} ${entity_id}`
  return { ok: true, incoming: { key, entity_type, entity_id, source_ts, write, record } }
}

/**
 * The payload's JSON and its hash; undefined if it is so deep that writing it exceeds the stack. The canonical text is used for
 * both: the stored keys are sorted, and it is written once.
 */
export function contentOf(op: EntityWrite['op'], payload: ChangePayload): { json: string; hash: string } | undefined {
  try {
    const text = contentText(op, payload)
    const json = op === 'upsert' ? text : text.slice(op.length + 1)
    return { json, hash: hash('sha256', text) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * JSON text contains no control characters: a NUL is escaped, which a text column accepts, and the separators of the store cannot
 * occur in it.
 */
export function recordText(change: Omit<Change, 'payload'>, payload: string): string {
  const { entity_type, entity_id, op, version, updated_at, source_ts } = change
  const marks = JSON.stringify({ entity_type, entity_id, op, version, updated_at, source_ts })
  return `${marks.slice(0, -1)},"payload":${payload}}`
}

export function areMergeable(payload: ChangePayload): payload is { todos: TodoItemLike[] } {
  return todosShape.Check(payload)
}

/** Deleting todos as a whole is refused by their merge rule, whatever the payload is. */
function todosOf({ entity_type, op, payload }: Change): readonly TodoItemLike[] | undefined | 'invalid' {
  if (entity_type !== 'todos' || op === 'delete') return undefined
  return areMergeable(payload) ? payload.todos : 'invalid'
}

/** Refuses far too large ones before the schema check: megabytes of names or items would block the process for seconds. */
function excessOf(value: object): Rejection | undefined {
  const names = Object.keys(value)
  const unknown = names.length > fields.length ? names.find((name) => !fields.includes(name)) : undefined
  if (unknown !== undefined) return { code: 'invalid', message: notAField(`/${unknown}`, 'a change') }
  if (!('payload' in value)) return undefined
  if (isTodosUpsert(value) && itemsOf(value.payload).length > maxItems) {
    return { code: 'invalid', message: `\`payload.todos\` must have at most ${maxItems} items` }
  }
  if (isSmall(value.payload)) return undefined
  const bytes = bytesOf(value.payload)
  if (bytes === undefined) return { code: 'invalid', message: tooDeep }
  if (bytes <= limits.payload_bytes) return undefined
  const message = `\`payload\` has ${bytes} bytes of JSON, more than the limit of ${limits.payload_bytes}: store larger content as a file`
  return { code: 'payload_too_large', message }
}

/** Certainly no more JSON than a payload may have, and not deep: checked without writing it. */
function isSmall(payload: unknown): boolean {
  return roomAfter(payload, limits.payload_bytes, 100) >= 0
}

/** What is left of `room` if every character is counted as an escape; negative if it does not suffice, or `depth` does not. */
function roomAfter(value: unknown, room: number, depth: number): number {
  if (typeof value === 'string') return room - 2 - 6 * value.length
  if (typeof value !== 'object' || value === null) return room - 30
  if (depth === 0) return -1
  let left = room - 2
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) left = roomAfter(value[at], left - 1, depth - 1)
    return left
  }
  for (const name in value) {
    if (left < 0) return left
    left = roomAfter((value as Record<string, unknown>)[name], left - 4 - 6 * name.length, depth - 1)
  }
  return left
}

/** Sorting the keys does not change the length, so this much will be stored. Undefined as in `contentOf`. */
function bytesOf(payload: unknown): number | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(payload) ?? '')
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isTodosUpsert(value: object): boolean {
  return 'entity_type' in value && value.entity_type === 'todos' && 'op' in value && value.op === 'upsert'
}

function itemsOf(payload: unknown): readonly unknown[] {
  return typeof payload === 'object' && payload !== null && 'todos' in payload && Array.isArray(payload.todos) ? payload.todos : []
}

function faultOf(errors: readonly SchemaError[], prefix: string): string {
  const unknown = errors.find(({ keyword }) => keyword === 'boolean')
  const [first] = fieldErrors(errors, prefix)
  if (!first) return 'the change is not valid'
  if (unknown && first.pointer === `${prefix}${unknown.instancePath}`) return notAField(first.pointer, prefix === '' ? 'a change' : 'todos')
  return `${first.pointer === '' ? 'the change' : fieldName(first.pointer)} ${first.message}`.slice(0, 500)
}

function notAField(pointer: string, thing: string): string {
  return `${fieldName(pointer)} is not a field of ${thing}`
}

function rejected(code: RejectionCode, message: string): ChangeResult {
  return { ok: false, rejection: { code, message } }
}
