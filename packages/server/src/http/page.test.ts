import { expect, test } from 'vitest'
import { encodeCursor } from './cursor.ts'
import { idCursor, pageOf, pageSize, timeCursor } from './page.ts'

const id = '01996f31-57ee-7e90-a2c8-4b6d1f3a5e07'
const ts = '2026-09-21T07:40:12.345Z'

test('a row more than asked for is not shown; it says that a page follows', () => {
  const keyOf = (item: number) => [String(item)]
  expect(pageOf([3, 2, 1], 2, keyOf)).toEqual({ items: [3, 2], next_cursor: encodeCursor(['2']) })
  expect(pageOf([3, 2], 2, keyOf)).toEqual({ items: [3, 2], next_cursor: null })
  expect(pageOf([], 2, keyOf)).toEqual({ items: [], next_cursor: null })
  expect([pageSize({}), pageSize({ limit: 7 })]).toEqual([50, 7])
})

test('a cursor is read back only if a list has put such a thing into it', () => {
  expect([idCursor(undefined), idCursor(encodeCursor([id])), timeCursor(undefined), timeCursor(encodeCursor([ts, id]))]).toEqual([
    undefined,
    id,
    undefined,
    { ts, id },
  ])
  const strange = [['x'], [`${id}'`], [id.toUpperCase()], [id, id]].map(encodeCursor)
  for (const cursor of [...strange, '', '!', 'bnVsbA', encodeCursor([])])
    expect(() => idCursor(cursor)).toThrow('cursor is not one that a list has given out')
  for (const cursor of [
    encodeCursor(['now', id]),
    encodeCursor([ts, 'x']),
    encodeCursor(['2026-02-30T00:00:00.000Z', id]),
    encodeCursor([id]),
  ]) {
    expect(() => timeCursor(cursor)).toThrow('cursor is not one that a list has given out')
  }
})
