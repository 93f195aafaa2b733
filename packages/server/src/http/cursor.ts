// The place in a list where the next page begins: opaque to callers, the sort key of the last row to us.
import { refuse } from './refusal.ts'

/** Named in its cursors, so that one list does not accept those of another. */
export type ListName = 'api_keys' | 'devices' | 'files' | 'logs' | 'tasks' | 'workflows'

export function encodeCursor(list: ListName, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...values])).toString('base64url')
}

/** The sort key inside; undefined for the first page. Anything but a cursor of this list with `parts` texts is refused. */
export function decodeCursor(list: ListName, cursor: string | undefined, parts: number): string[] | undefined {
  if (cursor === undefined) return undefined
  const [name, ...values] = asList(parse(Buffer.from(cursor, 'base64url').toString()))
  if (name === list && values.length === parts && values.every((value) => typeof value === 'string')) return values
  throw refuse('invalid_request', 'cursor is not one that a list has given out', {
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
