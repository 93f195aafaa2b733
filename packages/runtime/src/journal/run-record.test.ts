import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openStore, type Store } from '../store/store.ts'
import { openRunReader } from './run-record.ts'

let home: string
let store: Store

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-run-record-'))
  store = openStore({ home, clock: testClock() })
  store.sql
    .run`INSERT INTO conversations (conversation_id, agent_id, title, workspace, created_at, updated_at) VALUES ('c', 'a', 'C', '/w', 1, 1)`
  store.sql.run`
    INSERT INTO runs (run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, started_at, updated_at)
    VALUES ('r', 1, 'a', 'd', 'first', 'running', 'm', 'workspace', 1, 1)`
})

afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

const rename = (title: string) => store.sql.run`UPDATE runs SET title = ${title} WHERE run_id = 'r'`

test('a run is read once until it or its conversation changes', () => {
  const { read } = openRunReader(store)
  const first = read('r')
  expect([first?.title, first?.workspace]).toEqual(['first', '/w'])
  store.sql.run`INSERT INTO meta (name, value) VALUES ('other', '1')`
  expect(read('r')).toBe(first)
  rename('second')
  expect(read('r')?.title).toBe('second')
  store.sql.run`UPDATE conversations SET workspace = '/elsewhere' WHERE conversation_id = 'c'`
  expect(read('r')?.workspace).toBe('/elsewhere')
  expect(read('other')).toBeUndefined()
})

test('what was read in a transaction that was rolled back is not kept', () => {
  const { read } = openRunReader(store)
  const failing = () =>
    store.transaction(() => {
      rename('never')
      expect(read('r')?.title).toBe('never')
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(read('r')?.title).toBe('first')
})

test('a run that was just written is not read again, and stays as it was after a rollback', () => {
  const { read, wrote } = openRunReader(store)
  const first = read('r')
  if (!first) throw new Error('there is no run')
  const failing = () =>
    store.transaction(() => {
      rename('second')
      const second = { ...first, title: 'second' }
      wrote(second)
      expect(read('r')).toBe(second)
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(read('r')).toEqual(first)
})
