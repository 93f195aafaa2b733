// One pushed change: held against the contract, then made ready for merging and for storing.
import { hash } from 'node:crypto'
import { limits } from '@tandem/contract/limits'
import {
  type Change,
  type ChangePayload,
  contentText,
  type EntityType,
  isClockSkewed,
  isEntityType,
  type RejectionCode,
  type TodoItemLike,
  type Write,
} from '@tandem/contract/sync'
import { Change as ChangeSchema, MergeableTodos } from '@tandem/contract/sync/schema'
import { Compile } from 'typebox/compile'

export interface Incoming {
  /** Type and id in one. */
  readonly key: string
  readonly entity_type: EntityType
  readonly entity_id: string
  readonly source_ts: string
  readonly write: Write
  readonly payload: ChangePayload
  /** The change as the JSON it will leave as. */
  readonly record: string
}

export interface Rejection {
  readonly code: RejectionCode
  readonly message: string
  readonly server_ts?: string
}

export type Reading = { readonly ok: true; readonly incoming: Incoming } | { readonly ok: false; readonly rejection: Rejection }

const changeShape = Compile(ChangeSchema)
const todosShape = Compile(MergeableTodos)

export function readChange(value: unknown, deviceId: string, serverTs: string): Reading {
  if (typeof value !== 'object' || value === null) return rejected('invalid', 'the change is not an object')
  if ('entity_type' in value && typeof value.entity_type === 'string' && !isEntityType(value.entity_type)) {
    return rejected('unknown_entity_type', `this server does not know the entity type ${JSON.stringify(value.entity_type.slice(0, 100))}`)
  }
  if (!changeShape.Check(value)) return rejected('invalid', faultOf(changeShape.Errors(value), ''))

  const content = contentOf(value.op, value.payload)
  if (!content) return rejected('invalid', '/payload is nested too deeply to be written as JSON')
  if (content.bytes > limits.payload_bytes) {
    const message = `/payload has ${content.bytes} bytes of JSON, more than ${limits.payload_bytes}: larger things go to files`
    return rejected('payload_too_large', message)
  }

  const todos = todosOf(value)
  if (todos === 'invalid') return rejected('invalid', faultOf(todosShape.Errors(value.payload), '/payload'))

  const { entity_type, entity_id, op, version, updated_at, source_ts } = value
  const marks = { op, version, updated_at, device_id: deviceId, ...(todos && { todos }) }
  // What is not ahead at all needs no closer look.
  if ((todos !== undefined || updated_at > serverTs) && isClockSkewed(marks, serverTs)) {
    const message = `a time in this change lies more than ${limits.clock_skew_ms / 60_000} minutes ahead of the server`
    return { ok: false, rejection: { code: 'clock_skew', message, server_ts: serverTs } }
  }
  const write = { ...marks, content_hash: content.hash }
  const record = recordText(value, content.json)
  const key = `${entity_type} ${entity_id}`
  return { ok: true, incoming: { key, entity_type, entity_id, source_ts, write, payload: value.payload, record } }
}

/**
 * The payload's JSON, its size and its hash; undefined when it is so deep that writing it runs out of stack. The canonical text serves
 * both: what is stored has its keys in order, and is written once.
 */
export function contentOf(op: Write['op'], payload: ChangePayload): { json: string; bytes: number; hash: string } | undefined {
  try {
    const text = contentText(op, payload)
    const json = op === 'upsert' ? text : text.slice(op.length + 1)
    return { json, bytes: Buffer.byteLength(json), hash: hash('sha256', text) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * JSON text holds no control characters: a NUL travels as its escape, which a text column takes, and the separators of the store can not
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

/** Deleting todos whole is refused by their merge rule, whatever the payload says. */
function todosOf({ entity_type, op, payload }: Change): readonly TodoItemLike[] | undefined | 'invalid' {
  if (entity_type !== 'todos' || op === 'delete') return undefined
  return areMergeable(payload) ? payload.todos : 'invalid'
}

interface Fault {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
}

function faultOf(faults: readonly Fault[], prefix: string): string {
  const [first] = faults
  if (!first) return 'the change is not valid'
  if (first.keyword === 'boolean') return `${prefix}${first.instancePath} is not a field of a change`
  return `${prefix}${first.instancePath} ${first.message}`.trim().slice(0, 500)
}

function rejected(code: RejectionCode, message: string): Reading {
  return { ok: false, rejection: { code, message } }
}
