// What happens to a stored entity when a change arrives. Implemented once; server and client both use it.
import { canonicalJson } from '../canonical-json.ts'
import { limits } from '../limits/index.ts'
import { type EntityType, entityTypes, type MergeRuleName } from './entity-types.ts'

/**
 * One write of an entity for the merge rules. `content_hash` represents op and payload, so that a store need not read payloads
 * to decide; only `todos` are parsed.
 */
export interface EntityWrite {
  readonly op: 'upsert' | 'delete'
  readonly version: number
  readonly updated_at: string
  readonly device_id: string
  readonly content_hash: string
  readonly todos?: readonly TodoItemLike[]
}

export type MergeOutcome =
  /** The incoming write replaces the stored one. */
  | { readonly verdict: 'applied' }
  /** The entity is the union of both; `changed`: whether it differs from the stored one. */
  | { readonly verdict: 'merged'; readonly todos: readonly TodoItemLike[]; readonly changed: boolean }
  | { readonly verdict: 'duplicate' }
  /** The stored write is later and is kept. */
  | { readonly verdict: 'stale' }
  | { readonly verdict: 'rejected'; readonly code: RejectionCode; readonly message: string }

export const verdicts = ['applied', 'merged', 'duplicate', 'stale', 'rejected'] as const

export const rejectionCodes = [
  'invalid',
  'payload_too_large',
  'unknown_entity_type',
  'immutable',
  'append_only',
  'per_item',
  'clock_skew',
  'quota_exceeded',
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

type MergeRule = (stored: EntityWrite | undefined, incoming: EntityWrite) => MergeOutcome

const rules = {
  append_only: appendOnly,
  last_write_wins: lastWriteWins,
  per_item: perItem,
} satisfies Record<MergeRuleName, MergeRule>

/** Total and pure. `stored` may be a tombstone: a delete is an ordinary write. */
export function merge(entityType: EntityType, stored: EntityWrite | undefined, incoming: EntityWrite): MergeOutcome {
  return rules[entityTypes[entityType]](stored, incoming)
}

/** Whether a time in `incoming` is further ahead of the server than clocks may differ. */
export function isClockSkewed(incoming: Pick<EntityWrite, 'updated_at' | 'todos'>, serverTs: string): boolean {
  const latest = new Date(Date.parse(serverTs) + limits.clock_skew_ms).toISOString()
  return incoming.updated_at > latest || (incoming.todos ?? []).some((item) => item.state_ts > latest)
}

/** The text whose hash is `content_hash`. */
export function contentText(op: EntityWrite['op'], payload: unknown): string {
  const text = canonicalJson(payload)
  return op === 'upsert' ? text : `${op} ${text}`
}

/** The first write wins: a fact is never rewritten. */
function appendOnly(stored: EntityWrite | undefined, incoming: EntityWrite): MergeOutcome {
  if (incoming.op === 'delete') return rejected('append_only', 'facts are kept forever and cannot be deleted')
  if (!stored) return { verdict: 'applied' }
  if (stored.content_hash === incoming.content_hash) return { verdict: 'duplicate' }
  return rejected('immutable', 'this entity_id already has other content: write the new fact with a new entity_id')
}

/** The later write wins, by when users wrote, not by when pushes arrived. */
function lastWriteWins(stored: EntityWrite | undefined, incoming: EntityWrite): MergeOutcome {
  if (!stored) return { verdict: 'applied' }
  const order = compareWrites(incoming, stored)
  if (order > 0) return { verdict: 'applied' }
  return order === 0 ? { verdict: 'duplicate' } : { verdict: 'stale' }
}

/**
 * A total order of writes. Times are fixed-width ISO text, so text order is time order. The hash comes last, for a device that
 * wrote two contents with the same time: any order is correct if it is the same everywhere.
 */
export function compareWrites(left: Omit<EntityWrite, 'op'>, right: Omit<EntityWrite, 'op'>): number {
  return compareWriteMetadata(left, right) || compareText(left.content_hash, right.content_hash)
}

/** The order of writes by when and where they were made, regardless of their content. */
export function compareWriteMetadata(
  left: Pick<EntityWrite, 'updated_at' | 'version' | 'device_id'>,
  right: Pick<EntityWrite, 'updated_at' | 'version' | 'device_id'>,
): number {
  return (
    compareText(left.updated_at, right.updated_at) ||
    Math.sign(left.version - right.version) ||
    compareBytes(left.device_id, right.device_id)
  )
}

/**
 * Items of both sides, each in its later state, with the metadata of the later write. Commutative, associative and idempotent: items and
 * metadata do not depend on the order in which writes arrive.
 */
function perItem(stored: EntityWrite | undefined, incoming: EntityWrite): MergeOutcome {
  if (incoming.op === 'delete')
    return rejected('per_item', 'a todo list cannot be deleted as a whole: set the state of each item to deleted')
  const mine = stored?.todos ?? []
  const theirs = incoming.todos ?? []
  const before = mergeTodoItems(mine, [])
  const todos = mergeTodoItems(before, theirs)
  const order = stored ? compareWriteMetadata(incoming, stored) : 1
  if (order <= 0 && areSame(todos, before)) {
    return areSame(mergeTodoItems(theirs, []), before) ? { verdict: 'duplicate' } : { verdict: 'merged', todos, changed: false }
  }
  return order >= 0 && areSame(theirs, todos) ? { verdict: 'applied' } : { verdict: 'merged', todos, changed: true }
}

/** Items that are the same object are not serialized to compare them: a small change to a large list is cheap. */
function areSame(left: readonly TodoItemLike[], right: readonly TodoItemLike[]): boolean {
  if (left.length !== right.length) return false
  return left.every((item, index) => item === right[index] || canonicalJson(item) === canonicalJson(right[index]))
}

/** The fields of a todo item that merging reads; the others are kept unchanged. */
export interface TodoItemLike {
  readonly id: string
  readonly state_ts: string
}

/** Per item the later `state_ts` wins, ties go to the larger canonical JSON; items are in order of id. */
export function mergeTodoItems<Item extends TodoItemLike>(left: readonly Item[], right: readonly Item[]): Item[] {
  const byId = new Map<string, Item>()
  for (const item of [...left, ...right]) {
    const other = byId.get(item.id)
    if (!other || isLater(item, other)) byId.set(item.id, item)
  }
  return [...byId.values()].sort((a, b) => compareBytes(a.id, b.id))
}

function isLater(item: TodoItemLike, other: TodoItemLike): boolean {
  return (compareText(item.state_ts, other.state_ts) || compareBytes(canonicalJson(item), canonicalJson(other))) > 0
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** UTF-8 byte order, which is code point order, as in PostgreSQL's C collation and SQLite's BINARY: ties are resolved alike everywhere. */
export function compareBytes(left: string, right: string): number {
  const shared = Math.min(left.length, right.length)
  for (let index = 0; index < shared; index += 1) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (a !== b) return Math.sign(rank(a) - rank(b))
  }
  return Math.sign(left.length - right.length)
}

/** Code units in the order of their code points: surrogates encode those above U+FFFF and come last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function rejected(code: RejectionCode, message: string): MergeOutcome {
  return { verdict: 'rejected', code, message }
}
