import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { changedTables } from './changed-tables.ts'
import { openStore, type Store } from './store.ts'

let home: string
let store: Store

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-kept-reads-'))
  store = openStore({ home, clock: testClock() })
})

afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

const put = (name: string, value: string) => store.sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${name}, ${value})`

function readMeta() {
  const kept = store.kept<{ value: string } | undefined>('meta')
  const reads: string[] = []
  const read = (name: string) =>
    kept.get(name, () => {
      reads.push(name)
      const row = store.sql.get<{ value: string }>`SELECT value FROM meta WHERE name = ${name}`
      return row && { ...row }
    })
  return { kept, read, reads }
}

test('a row is read once until its table may have changed, also if it is missing', () => {
  const { read, reads } = readMeta()
  expect([read('a'), read('a')]).toEqual([undefined, undefined])
  store.sql.run`INSERT INTO memory_exclusions (kind, id) VALUES ('agent', 'x')`
  expect(read('a')).toBeUndefined()
  put('a', '1')
  expect([read('a'), read('a'), read('b')]).toEqual([{ value: '1' }, { value: '1' }, undefined])
  store.sql.run`DELETE FROM meta WHERE name = 'a'`
  expect(read('a')).toBeUndefined()
  expect(reads).toEqual(['a', 'a', 'b', 'a'])
})

test('a rollback brings back what was there before, and what was put is not kept', () => {
  const { kept, read } = readMeta()
  put('a', 'before')
  const failing = () =>
    store.transaction(() => {
      put('a', 'never')
      expect(read('a')).toEqual({ value: 'never' })
      kept.put('b', { value: 'never' })
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect([read('a'), read('b')]).toEqual([{ value: 'before' }, undefined])
})

test('a statement that fails leaves nothing outdated behind', () => {
  const { read } = readMeta()
  put('a', '1')
  expect(read('a')).toEqual({ value: '1' })
  expect(() => store.sql.run`INSERT INTO meta (name, value) VALUES ('b', '1'), ('a', '2')`).toThrow(/UNIQUE/)
  expect([read('a'), read('b')]).toEqual([{ value: '1' }, undefined])
})

test('what is kept cannot be changed by those who read it', () => {
  const { read } = readMeta()
  put('a', '1')
  const row = read('a') as { value: string }
  expect(() => {
    row.value = '2'
  }).toThrow(TypeError)
})

test('a write reaches the tables that its triggers write and that rows are deleted from with it', () => {
  const outbox = store.kept<number>('outbox')
  const count = () => outbox.get('all', () => Number(store.sql.get`SELECT count(*) AS count FROM outbox`?.count))
  expect(count()).toBe(0)
  store.sql.run`
    INSERT INTO records (entity_type, entity_id, version, updated_at, source_ts, device_id, deleted, payload)
    VALUES ('todos', 't', 1, 1, 1, 'd', 0, '{}')`
  expect(count()).toBe(1)

  const artifacts = store.kept<number>('runtime_checkpoint_artifacts')
  let reads = 0
  const read = () => artifacts.get('all', () => ++reads)
  read()
  store.sql.run`DELETE FROM runtime_run_checkpoints WHERE checkpoint_id = 'p'`
  read()
  expect(reads).toBe(2)
})

test('a table that does not exist is refused', () => {
  expect(() => store.kept('metas')).toThrow('there is no table metas')
})

const alone = (...tables: string[]) => new Map(tables.map((table) => [table, [table]]))
const tables = alone('runs', 'conversations', 'messages', 'agent_run_steps', 'workflow_runs')

test.each([
  ['UPDATE runs SET title = ?', ['runs']],
  ['\n  insert into Conversations (x) values (?) RETURNING no', ['conversations']],
  ['DELETE FROM "conversations" WHERE no = ?', ['conversations']],
  ['WITH old AS (SELECT no FROM runs) DELETE FROM runs WHERE no IN old', ['runs']],
  ['INSERT INTO messages SELECT * FROM runs', ['messages', 'runs']],
  [' SELECT * FROM runs', []],
  ['UPDATE agent_run_steps SET run = ?', ['agent_run_steps']],
  ['INSERT INTO workflow_runs (a) VALUES (?)', ['workflow_runs']],
])('%s: %j', (text, expected) => {
  expect(changedTables(text, tables)).toEqual(expected)
})

test('nothing is written after a full disk has rolled the transaction back, even if its error was caught', () => {
  const { read } = readMeta()
  put('a', 'before')
  const failing = () =>
    store.transaction(() => {
      put('a', 'never')
      store.sql.get`PRAGMA max_page_count = 1`
      expect(() => put('large', 'x'.repeat(1_000_000))).toThrow('full')
      for (const write of [() => put('b', 'alone'), () => store.transaction(() => put('b', 'alone'))])
        expect(write).toThrow('the transaction was rolled back: the disk is full or cannot be written')
      expect(read('a')).toEqual({ value: 'before' })
    })
  expect(failing).toThrow('no transaction is active')
  store.sql.get`PRAGMA max_page_count = 1000000`
  expect([read('a'), read('b')]).toEqual([{ value: 'before' }, undefined])
  put('a', 'after')
  expect(read('a')).toEqual({ value: 'after' })
})
