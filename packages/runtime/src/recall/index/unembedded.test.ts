import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openStatements, type Statements } from './statements.ts'
import { UnembeddedTexts } from './unembedded.ts'

/** How many rows the statements have returned. */
let rows = 0

function opened() {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE spaces (no INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE texts (no INTEGER PRIMARY KEY, space INTEGER, text TEXT);
    CREATE TABLE vectors (no INTEGER PRIMARY KEY, model TEXT);
    INSERT INTO spaces VALUES (1, 'notes'), (2, 'others');
  `)
  const sql = openStatements(database)
  const counted: Statements = {
    ...sql,
    all: <Row>(text: string, ...values: readonly SQLInputValue[]) => {
      const found = sql.all<Row>(text, ...values)
      rows += found.length
      return found
    },
  }
  const put = (no: number, text = `text ${no}`, space = 1) => sql.run('INSERT OR REPLACE INTO texts VALUES (?, ?, ?)', no, space, text)
  const embed = (no: number, model = 'm') => sql.run('INSERT OR REPLACE INTO vectors VALUES (?, ?)', no, model)
  const texts = new UnembeddedTexts(counted)
  return { sql, put, embed, texts, next: (limit: number, model = 'm') => texts.next(model, ['notes'], limit).map(({ no }) => no) }
}

test('the newest come first, and each stays until it has a vector', () => {
  const { put, embed, next } = opened()
  for (const no of [1, 2, 3, 4, 5]) put(no)
  put(6, 'of another space', 2)
  put(7, '  ')
  embed(4)
  embed(2, 'another model')
  expect([next(2), next(2)]).toEqual([
    [5, 3],
    [5, 3],
  ])
  embed(5)
  expect(next(2)).toEqual([3, 2])
  for (const no of [3, 2]) embed(no)
  expect([next(2), next(9, 'another model')]).toEqual([[1], [5, 4, 3, 2, 1]])
})

test('what is new, changed or gone is known at the next call', () => {
  const { sql, put, embed, texts, next } = opened()
  for (const no of [1, 2, 3]) put(no)
  for (const no of next(9)) embed(no)
  expect(next(9)).toEqual([])
  put(4)
  sql.run('DELETE FROM vectors WHERE no = 2')
  texts.changed([4, 2, 2])
  expect(next(9)).toEqual([4, 2])
  sql.run('DELETE FROM texts WHERE no = 4')
  texts.changed([4])
  expect(next(9)).toEqual([2])
  put(5)
  expect(next(9)).toEqual([2])
  texts.forget()
  expect(next(9)).toEqual([5, 2])
})

test('the texts are looked through once, however many steps it takes to embed them', () => {
  const { put, embed, next } = opened()
  for (let no = 1; no <= 1_000; no += 1) put(no)
  rows = 0
  for (let some = next(10); some.length > 0; some = next(10)) for (const no of some) embed(no)
  // Once all of them, and each when it is its turn.
  expect(rows).toBe(2_000)
})
