import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import type { Effect } from '../../call/tool.ts'
import { atOnce } from '../../scheduler/slices.ts'
import { openStore } from '../../store/store.ts'
import type { CallFact, RunFacts } from '../rule/run-facts.ts'
import { openCallRecords } from './call-records.ts'

const write: CallFact = {
  ...{ run_id: 'run', call_id: 'call-1', step_id: 'step', seq: 1, tool: 'fs.write', arguments: '{"path":"a.md"}', outcome: 'succeeded' },
  ...{ failure_contract: null, command: null, approval: null, asked_at: 1, started_at: 2, duration_ms: 3, undone: false },
}

function ground() {
  const home = mkdtempSync(join(tmpdir(), 'tandem-calls-'))
  const store = openStore({ home, clock: testClock() })
  onTestFinished(() => {
    store.close()
    rmSync(home, { recursive: true })
  })
  const outputs = new Map<string, unknown>()
  const effects: Readonly<Record<string, (input: never) => readonly Effect[] | Promise<readonly Effect[]>>> = {
    'fs.write': ({ path }: { path: string }) => [{ does: 'write', path: path.toLowerCase() }],
    'agent.merge_result': async () => [],
    'script.run': () => [{ does: 'execute', command: 'x'.repeat(40_000), cwd: '.', language: 'script' }],
  }
  const open = () =>
    openCallRecords({
      store,
      journal: {
        run: () => ({ sandbox_mode: 'workspace' }) as never,
        settled: (_, call_id) => ({ output: outputs.get(call_id) }) as never,
      },
      registry: { get: (tool) => (effects[tool] ? { effects: effects[tool] } : undefined) },
    })
  const records = open()
  return { ...records, open, outputs, store, record: (facts: RunFacts) => records.record(atOnce(records.prepare(facts))) }
}

const factsOf = (...calls: readonly CallFact[]): RunFacts => ({
  ...{ run_id: 'run', agent_id: 'agent', conversation_id: 'conversation', step_id: 'end', trigger: 'completed', state: 'completed' },
  ...{
    failure_contract: null,
    workspace: '/srv/space',
    asked_by_person: true,
    named_hosts: ['docs.example'],
    calls,
    errors: [],
    turns: 1,
    answered: true,
  },
  usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false },
  ...{ duration_ms: 0, ended_at: 0, corrected: false, restores: 0, open_todos: 0, usual: null },
})

test('a call is stored without its arguments and its output', () => {
  const { record, open } = ground()
  record(factsOf({ ...write, arguments: '{"path":"A.md","content":"secret"}' }))
  const [stored] = open().latest('agent')
  expect(JSON.stringify(stored)).not.toContain('secret')
  expect(stored).toEqual({
    ...{ run_id: 'run', call_id: 'call-1', tool: 'fs.write', asked_at: 1, started_at: 2, duration_ms: 3, outcome: 'succeeded' },
    ...{
      taxonomy: 'none',
      reason_code: null,
      stage: null,
      recoverability: null,
      answer: null,
      edited: false,
      warned: false,
      remembers: [],
      named_hosts: [],
    },
    ...{ command_failed: false, result: null, background: null, undone: false, workspace: '/srv/space', sandbox_mode: 'workspace' },
    effects: [{ does: 'write', path: 'a.md' }],
    key: expect.stringMatching(/^[\w-]{22}$/),
  })
})

test.each([
  ['a tool that no longer exists', { tool: 'mcp.gone.list' }],
  ['arguments that are not JSON', { arguments: '{' }],
  ['arguments that do not match', { arguments: '{}' }],
  ['effects that are not known at once', { tool: 'agent.merge_result' }],
  ['effects that are too long', { tool: 'script.run' }],
])('the effects are not known: %s', (_, fields) => {
  const { record, latest } = ground()
  record(factsOf({ ...write, ...fields }))
  expect(latest('agent').map(({ effects }) => effects)).toEqual([null])
})

test('a run that is recorded again replaces its calls, in memory and on disk', () => {
  const { record, latest, open } = ground()
  record(factsOf(write, { ...write, call_id: 'call-2', asked_at: 5 }))
  expect(latest('agent').map(({ undone }) => undone)).toEqual([false, false])
  record(factsOf(write, { ...write, call_id: 'call-2', asked_at: 5, undone: true }))
  for (const { latest: read } of [{ latest }, open()]) expect(read('agent').map(({ undone }) => undone)).toEqual([false, true])
})

test('results are compared only where a call was repeated', () => {
  const { record, latest, outputs } = ground()
  const calls = Array.from({ length: 6 }, (_, at) => ({ ...write, call_id: `call-${at}`, asked_at: at }))
  for (const { call_id } of calls) outputs.set(call_id, call_id === 'call-5' ? 'other' : 'same')
  record(factsOf(...calls, { ...write, call_id: 'alone', arguments: '{"path":"b.md"}', asked_at: 9 }))
  const results = latest('agent').map(({ result }) => result)
  expect([new Set(results.slice(0, 5)).size, new Set(results.slice(0, 6)).size, results[6]]).toEqual([1, 2, null])
})

test('pages contain every call once, in order, and the oldest calls are forgotten', async () => {
  const { record, ofTools, count, latest, store } = ground()
  store.relaxed(() => {
    for (let run = 0; run < 11; run += 1) {
      const calls = Array.from({ length: 1_000 }, (_, at) => ({
        ...write,
        run_id: `run-${run}`,
        call_id: `call-${at}`,
        asked_at: run * 1_000 + (at >> 1),
      }))
      record({ ...factsOf(...calls), run_id: `run-${run}` })
    }
  })
  const all = await ofTools('agent', ['fs.write'])
  expect([all.length, new Set(all.map(({ run_id, call_id }) => `${run_id} ${call_id}`)).size, count('agent', ['fs.write'])]).toEqual([
    10_000, 10_000, 10_000,
  ])
  expect(all.every((call, at) => at === 0 || call.asked_at >= (all[at - 1]?.asked_at ?? 0))).toBe(true)
  expect([all[0]?.run_id, latest('agent').length, await ofTools('agent', ['fs.read'])]).toEqual(['run-1', 1_000, []])
})
