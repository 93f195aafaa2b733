import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { outputLimits, outputsToDelete, pruneOutputs } from './outputs.ts'
import { openStore, type Store } from './store.ts'

const day_ms = 24 * 60 * 60 * 1_000
const clock = testClock()
let home: string
let store: Store

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-outputs-'))
  store = openStore({ home, clock })
  mkdirSync(join(home, 'outputs'))
})

afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

function file(name: string, days: number, bytes = 1): void {
  const path = join(home, 'outputs', name)
  writeFileSync(path, Buffer.alloc(bytes))
  const at = (clock.now() - days * day_ms) / 1_000
  utimesSync(path, at, at)
}

/** A call whose output is in the returned file. */
function call(ended_at: number | null): string {
  const [file_id, run_id] = [store.newId(), store.newId()]
  store.sql.run`
    INSERT OR IGNORE INTO conversations (no, conversation_id, agent_id, title, workspace, created_at, updated_at) VALUES (1, 'c', 'a', 't', '/w', 0, 0)`
  const { lastInsertRowid } = store.sql.run`
    INSERT INTO runs (run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, started_at, updated_at, ended_at)
    VALUES (${run_id}, 1, 'a', 'd', 't', ${ended_at === null ? 'paused' : 'completed'}, 'm', 'workspace', 0, 0, ${ended_at})`
  store.sql.run`
    INSERT INTO tool_calls (run, call_id, call_seq, outcome, output, output_file, truncated, settled_at)
    VALUES (${lastInsertRowid}, 'call', 1, 'succeeded', 'null', ${file_id}, 1, 0)`
  return `${file_id}.txt`
}

const left = () => readdirSync(join(home, 'outputs')).toSorted()

test('deletes old outputs of ended runs; keeps messages, arguments and everything that an open run needs', async () => {
  const [ended, open, young, text] = [call(1), call(null), call(1), `${store.newId()}.txt`]
  for (const name of [ended, open, text, 'call_1-output.txt', `${store.newId()}.txt.part`]) file(name, 46)
  file(young, 44)
  expect([await pruneOutputs(store), left()]).toEqual([3, [open, young, text].toSorted()])
  expect(await pruneOutputs(store)).toBe(0)
})

test('deletes the oldest until the rest fits', async () => {
  for (const [name, days] of [
    ['c', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    file(name, days, 1_000)
  expect([await pruneOutputs(store, { ...outputLimits, bytes: 2_000 }), left()]).toEqual([1, ['b', 'c']])
})

test('does nothing if there is no output', async () => {
  rmSync(join(home, 'outputs'), { recursive: true })
  expect(await pruneOutputs(store)).toBe(0)
})

test('what remains is within the limits, and no output is deleted for its size that is newer than one that remains', () => {
  const output = fc.record({ name: fc.uuid(), bytes: fc.nat(100), changed_at: fc.nat(100) })
  fc.assert(
    fc.property(fc.array(output), fc.nat(200), fc.nat(100), (outputs, bytes, age_ms) => {
      const gone = new Set(outputsToDelete(outputs, 100, { bytes, age_ms }))
      const kept = outputs.filter((one) => !gone.has(one))
      expect(kept.reduce((sum, one) => sum + one.bytes, 0)).toBeLessThanOrEqual(bytes)
      const oldest = Math.min(...kept.map(({ changed_at }) => changed_at))
      expect(kept.every(({ changed_at }) => 100 - changed_at <= age_ms)).toBe(true)
      expect([...gone].every(({ changed_at }) => 100 - changed_at > age_ms || changed_at <= oldest)).toBe(true)
    }),
  )
})
