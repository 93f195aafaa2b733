// The place in a list where the next page begins: opaque to callers, the sort key of the last row to us.
import { refuse } from './refusal.ts'

export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** The sort key inside; undefined for the first page. Anything but a cursor of ours with `parts` texts is refused. */
export function decodeCursor(cursor: string | undefined, parts: number): string[] | undefined {
  if (cursor === undefined) return undefined
  const values = parse(Buffer.from(cursor, 'base64url').toString())
  if (Array.isArray(values) && values.length === parts && values.every((value) => typeof value === 'string')) return values
  throw refuse('invalid_request', 'cursor is not one that a list has given out', {
    errors: [{ pointer: '/query/cursor', message: 'is not a cursor of this list' }],
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
