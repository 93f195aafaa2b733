// One page of a list. Stores read one extra row: it shows whether another page follows.
import { limits } from '@tandem/contract/limits'
import { refuse } from './refusal.ts'
import { instant } from './validation/fault.ts'

export interface Page<Item> {
  items: Item[]
  next_cursor: string | null
}

/** If rows can be large, a page also ends after this much text, but never before its first row. */
export const pageBytes = 4 * 1_024 * 1_024

export function pageSize(query: { readonly limit?: number }): number {
  return query.limit ?? limits.list_default
}

/**
 * `keyOf` returns the sort key of an item: the next page starts after the last one returned. `found` is the number of rows before
 * `pageBytes` cut them.
 */
export function pageOf<Item>(
  list: ListName,
  rows: readonly Item[],
  size: number,
  keyOf: (item: Item) => readonly string[],
  found: number = rows.length,
): Page<Item> {
  const items = rows.slice(0, size)
  const last = items.at(-1)
  return { items, next_cursor: last !== undefined && found > items.length ? encodeCursor(list, keyOf(last)) : null }
}

/** Part of its cursors, so that one list does not accept those of another. */
export type ListName = 'api_keys' | 'devices' | 'files' | 'logs' | 'tasks' | 'workflows'

/** The position in a list where the next page starts: opaque to callers, the sort key of the last row to us. */
export function encodeCursor(list: ListName, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...values])).toString('base64url')
}

/** The sort key inside; undefined for the first page. Anything but a cursor of this list with `parts` strings is refused. */
export function decodeCursor(list: ListName, cursor: string | undefined, parts: number): string[] | undefined {
  if (cursor === undefined) return undefined
  const [name, ...values] = asList(parse(Buffer.from(cursor, 'base64url').toString()))
  if (name === list && values.length === parts && values.every((value) => typeof value === 'string')) return values
  return refuseCursor()
}

/** The position in a list sorted by id. */
export function idCursor(list: ListName, cursor: string | undefined): string | undefined {
  const id = decodeCursor(list, cursor, 1)?.[0]
  return id === undefined || isId(id) ? id : refuseCursor()
}

/** The position in a list sorted by a time, then by id. */
export function timeCursor(list: ListName, cursor: string | undefined): { readonly ts: string; readonly id: string } | undefined {
  const [ts, id] = decodeCursor(list, cursor, 2) ?? []
  if (ts === undefined || id === undefined) return undefined
  return isId(id) && instant(ts) === undefined ? { ts, id } : refuseCursor()
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** Whatever it contains, it was not created by a list. */
function refuseCursor(): never {
  throw refuse('invalid_request', 'query parameter `cursor` is not a cursor of this list', {
    errors: [{ pointer: '/query/cursor', message: 'is not a cursor of this list' }],
  })
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
