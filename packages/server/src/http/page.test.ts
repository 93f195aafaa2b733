import { expect, test } from 'vitest'
import { encodeCursor, idCursor, pageOf, pageSize, timeCursor } from './page.ts'

const id = '01996f31-57ee-7e90-a2c8-4b6d1f3a5e07'
const ts = '2026-09-21T07:40:12.345Z'

test('one extra row is not returned; it shows that a page follows', () => {
  const keyOf = (item: number) => [String(item)]
  expect(pageOf('tasks', [3, 2, 1], 2, keyOf)).toEqual({ items: [3, 2], next_cursor: encodeCursor('tasks', ['2']) })
  expect(pageOf('tasks', [3, 2], 2, keyOf)).toEqual({ items: [3, 2], next_cursor: null })
  expect(pageOf('tasks', [], 2, keyOf)).toEqual({ items: [], next_cursor: null })
  expect([pageSize({}), pageSize({ limit: 7 })]).toEqual([50, 7])
})

test('a cursor is accepted only if it has the form that a list creates', () => {
  expect([
    idCursor('tasks', undefined),
    idCursor('tasks', encodeCursor('tasks', [id])),
    timeCursor('tasks', undefined),
    timeCursor('tasks', encodeCursor('tasks', [ts, id])),
  ]).toEqual([undefined, id, undefined, { ts, id }])
  const strange = [['x'], [`${id}'`], [id.toUpperCase()], [id, id]].map((values) => encodeCursor('tasks', values))
  for (const cursor of [...strange, '', '!', 'bnVsbA', encodeCursor('tasks', [])])
    expect(() => idCursor('tasks', cursor)).toThrow('query parameter `cursor` is not a cursor of this list')
  for (const cursor of [
    encodeCursor('tasks', ['now', id]),
    encodeCursor('tasks', [ts, 'x']),
    encodeCursor('tasks', ['2026-02-30T00:00:00.000Z', id]),
    encodeCursor('tasks', [id]),
  ]) {
    expect(() => timeCursor('tasks', cursor)).toThrow('query parameter `cursor` is not a cursor of this list')
  }
})

test('a cursor of another list is refused', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  expect(idCursor('tasks', encodeCursor('tasks', [id]))).toBe(id)
  expect(() => idCursor('files', encodeCursor('tasks', [id]))).toThrow('query parameter `cursor` is not a cursor of this list')
  expect(() => idCursor('tasks', Buffer.from(JSON.stringify([id])).toString('base64url'))).toThrow('`cursor` is not a cursor of this list')
})
