import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openRecords } from './records.ts'
import { FolderInUseError, openStore, type Store } from './store.ts'

const clock = testClock()
let home: string
let store: Store

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-store-'))
  store = openStore({ home, clock })
})

afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

function outbox(): unknown[] {
  return store.sql.all`SELECT entity_type, entity_id, op, version FROM outbox ORDER BY no`.map((row) => ({ ...row }))
}

const policy = {
  agent_id: 'a',
  tool: 'fs.read',
  policy: {
    enabled: true,
    approval_mode: 'auto' as const,
    rate_limit: { calls: 1, per_seconds: 1 },
    time_limit: { seconds: 1 },
    network_scope: { hosts: [] },
    fs_scope: { roots: ['.'], globs: ['**'] },
  },
  remembered: [],
}

test('only one runtime uses the folder at a time, and closing releases it', () => {
  expect(() => openStore({ home, clock })).toThrow(FolderInUseError)
  store.close()
  store = openStore({ home, clock })
})

test('the device keeps its id across restarts', () => {
  const { device_id } = store
  store.close()
  store = openStore({ home, clock })
  expect(store.device_id).toBe(device_id)
})

test('no other user of the machine can read the data', () => {
  expect(statSync(join(home, 'tandem.db')).mode & 0o777).toBe(0o600)
})

test('a record that changes twice before it is sent has one outbox row, with the last version', () => {
  const records = openRecords(store)
  records.put('agent_tool_policies', 'a/fs.read', policy)
  records.put('agent_tool_policies', 'a/fs.read', { ...policy, policy: { ...policy.policy, enabled: false } })
  expect(outbox()).toEqual([{ entity_type: 'agent_tool_policies', entity_id: 'a/fs.read', op: 'upsert', version: 2 }])
  expect(records.get('agent_tool_policies', 'a/fs.read')?.payload.policy.enabled).toBe(false)
})

test('a deletion is synchronized as a tombstone, and the record is gone here', () => {
  const records = openRecords(store)
  records.put('agent_tool_policies', 'a/fs.read', policy)
  expect(records.remove('agent_tool_policies', 'a/fs.read')).toBe(true)
  expect(records.remove('agent_tool_policies', 'a/fs.read')).toBe(false)
  expect([records.get('agent_tool_policies', 'a/fs.read'), records.list('agent_tool_policies')]).toEqual([undefined, []])
  expect(outbox()).toEqual([{ entity_type: 'agent_tool_policies', entity_id: 'a/fs.read', op: 'delete', version: 2 }])
})

test('does not send back what came from another device', () => {
  store.applying(() => openRecords(store).put('agent_tool_policies', 'a/fs.read', policy))
  expect(outbox()).toEqual([])
})

test('a transaction that throws leaves nothing, and its commit callbacks are not called', () => {
  const called: string[] = []
  expect(() =>
    store.transaction(() => {
      openRecords(store).put('agent_tool_policies', 'a/fs.read', policy)
      store.afterCommit(() => called.push('rolled back'))
      throw new Error('no')
    }),
  ).toThrow('no')
  store.transaction(() => store.afterCommit(() => called.push('committed')))
  expect([outbox(), called]).toEqual([[], ['committed']])
})

test('stamps continue after the last one even if the wall clock was set back', () => {
  const before = openRecords(store).put('agent_tool_policies', 'a/fs.read', policy).updated_at
  store.close()
  clock.set(clock.now() - 86_400_000)
  store = openStore({ home, clock })
  expect(openRecords(store).put('agent_tool_policies', 'a/fs.read', policy).updated_at).toBe(before + 1)
})

test('truncates the log when writing has stopped; an external reader only delays it', () => {
  const log = () => statSync(join(home, 'tandem.db-wal')).size
  const write = () => openRecords(store).put('agent_tool_policies', 'a/fs.read', policy)
  write()
  store.tidy()
  expect(log()).toBeGreaterThan(0)
  store.tidy()
  expect(log()).toBe(0)

  write()
  const outside = new DatabaseSync(join(home, 'tandem.db'), { readOnly: true })
  outside.exec('BEGIN; SELECT count(*) FROM records')
  write()
  store.tidy()
  store.tidy()
  expect(log()).toBeGreaterThan(0)
  outside.close()
  store.tidy()
  expect([log(), openRecords(store).get('agent_tool_policies', 'a/fs.read')?.payload]).toEqual([0, policy])
})

test('flushes relaxed writes once, and only if there are any', () => {
  const flushed = () => store.sql.get`SELECT value FROM meta WHERE name = 'flushed'`?.value
  store.flush()
  expect(flushed()).toBe(undefined)
  store.relaxed(() => store.sql.run`INSERT INTO meta (name, value) VALUES ('noted', 'x')`)
  store.flush()
  store.flush()
  expect(flushed()).toBe('1')
  store.relaxed(() => store.sql.run`UPDATE meta SET value = 'y' WHERE name = 'noted'`)
  store.flush()
  expect(flushed()).toBe('2')
})
