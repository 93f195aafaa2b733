// Where the next page of a list begins. Opaque outside; made and read here alone.
import { limits } from '@tandem/contract/limits'
import type { Outcome } from './outcome.ts'

export interface Paging {
  readonly limit?: number
  readonly cursor?: string
}

export interface Page<Item> {
  items: Item[]
  next_cursor: string | null
}

export type Position = readonly (string | number)[]

export function limitOf({ limit }: Paging): number {
  return limit ?? limits.list_default
}

/** A cursor holds the name of its list, so that one of another list is not taken for it. */
function cursorOf(list: string, position: Position): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url')
}

/** Null at the beginning. */
export function positionOf(list: string, { cursor }: Paging, kinds: readonly ('string' | 'number')[]): Outcome<Position | null> {
  if (cursor === undefined) return { ok: true, value: null }
  const [name, ...position] = parsed(cursor)
  const fits = name === list && position.length === kinds.length && position.every((part, at) => typeof part === kinds[at])
  if (fits) return { ok: true, value: position as Position }
  return { ok: false, code: 'invalid_cursor', message: 'the cursor is not from this list' }
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    // Not ours: it fits no list, and the caller says so.
    return []
  }
}

/** A page of a list that is whole in memory, by a key that is unique in it. */
export function pageBy<Item>(list: string, all: readonly Item[], keyOf: (item: Item) => string, paging: Paging): Outcome<Page<Item>> {
  const from = positionOf(list, paging, ['string'])
  if (!from.ok) return from
  const at = from.value === null ? 0 : all.findIndex((item) => keyOf(item) === from.value?.[0]) + 1
  if (from.value !== null && at === 0) return { ok: false, code: 'invalid_cursor', message: 'what the cursor points at is gone' }
  return { ok: true, value: pageOf(list, all.slice(at), (item) => [keyOf(item)], paging) }
}

/** Ends a page early when its items are large; there is always one. */
const pageBytes = 4 * 1024 * 1024

/** The first of `items`, which are those from the cursor on and at least one more than the page holds when there are more. */
export function pageOf<Item>(list: string, items: readonly Item[], positionOfItem: (item: Item) => Position, paging: Paging): Page<Item> {
  const shown: Item[] = []
  let bytes = 0
  for (const item of items) {
    if (shown.length === limitOf(paging) || (shown.length > 0 && bytes > pageBytes)) break
    shown.push(item)
    bytes += JSON.stringify(item).length
  }
  const last = shown.at(-1)
  const more = shown.length < items.length && last !== undefined
  return { items: shown, next_cursor: more ? cursorOf(list, positionOfItem(last)) : null }
}
