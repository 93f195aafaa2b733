// Where the next page of a list begins. Opaque to clients; created and parsed only here.
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

export type CursorPosition = readonly (string | number)[]

export function limitOf({ limit }: Paging): number {
  return limit ?? limits.list_default
}

/** A cursor contains the name of its list, so that it cannot be used with another list. */
function cursorOf(list: string, position: CursorPosition): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url')
}

/** Null for the first page. */
export function positionOf(list: string, { cursor }: Paging, kinds: readonly ('string' | 'number')[]): Outcome<CursorPosition | null> {
  if (cursor === undefined) return { ok: true, value: null }
  const [name, ...position] = parsed(cursor)
  const fits = name === list && position.length === kinds.length && position.every((part, at) => typeof part === kinds[at])
  if (fits) return { ok: true, value: position as CursorPosition }
  return { ok: false, code: 'invalid_cursor', message: 'the cursor is not from this list' }
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    // Not one of our cursors: it matches no list, and the caller refuses it.
    return []
  }
}

/** A page of a list that is entirely in memory, ordered by a unique key. */
export function pageBy<Item>(list: string, all: readonly Item[], keyOf: (item: Item) => string, paging: Paging): Outcome<Page<Item>> {
  const from = positionOf(list, paging, ['string'])
  if (!from.ok) return from
  const at = from.value === null ? 0 : all.findIndex((item) => keyOf(item) === from.value?.[0]) + 1
  if (from.value !== null && at === 0)
    return { ok: false, code: 'invalid_cursor', message: 'the item that the cursor points to no longer exists' }
  return { ok: true, value: pageOf(list, all.slice(at), (item) => [keyOf(item)], paging) }
}

/** A page with large items ends early; it has at least one item. */
const pageBytes = 4 * 1024 * 1024

/** The first of `items`, which start at the cursor and contain at least one more item than the page if there are more. */
export function pageOf<Item>(
  list: string,
  items: readonly Item[],
  positionOfItem: (item: Item) => CursorPosition,
  paging: Paging,
): Page<Item> {
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

/** A page of a list in the order of its ids, which `read` returns from `before` on. */
export function pageById<Item extends { readonly id: string }>(
  list: string,
  paging: Paging,
  read: (before: string | null, limit: number) => readonly Item[],
): Outcome<Page<Item>> {
  const from = positionOf(list, paging, ['string'])
  if (!from.ok) return from
  const found = read(from.value === null ? null : String(from.value[0]), limitOf(paging) + 1)
  return { ok: true, value: pageOf(list, found, ({ id }) => [id], paging) }
}
