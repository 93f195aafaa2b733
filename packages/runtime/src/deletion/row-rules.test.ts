import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openStore } from '../store/store.ts'
import { rowRules } from './row-rules.ts'

function open() {
  const home = mkdtempSync(join(tmpdir(), 'tandem-rules-'))
  const store = openStore({ home, clock: testClock() })
  onTestFinished(() => {
    store.close()
    rmSync(home, { recursive: true, force: true })
  })
  return store
}

test('it is decided for every table what erasing a conversation does with its rows', () => {
  const { sql } = open()
  const tables = sql.all<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'`
  expect(Object.keys(rowRules).toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})

test('the columns exist, and every table that refers to runs or conversations by number is erased', () => {
  const { sql } = open()
  for (const [table, rule] of Object.entries(rowRules)) {
    const columns = sql.all<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.map(({ name }) => name)
    if (rule.rows === 'erased') expect(columns, table).toEqual(expect.arrayContaining(Object.keys(rule.by)))
    const named = sql.all<{ to: string; from: string }>`SELECT "table" AS "to", "from" FROM pragma_foreign_key_list(${table})`
    for (const { to, from } of named) {
      if (to === 'runs' || to === 'conversations') expect(rule, `${table}.${from}`).toMatchObject({ rows: 'erased' })
    }
  }
})
