import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { addMonthUsage, keepUsageOf } from '../journal/usage-by-month.ts'
import { openStore, type Store } from '../store/store.ts'
import { billingOf } from './billing.ts'
import { type ModelRecords, openModelRecords } from './model-records.ts'
import { monthOf, monthRange, openUsage, type UsageReader } from './usage.ts'

const listed = { input: 1, cached_input: null, output: 2 }
const entered = { input: 3, cached_input: 0.3, output: 15 }

test.each([
  ['entered before listed', 'https://a.test/v1', 'm', entered, listed, { billing: 'priced', price: entered, price_source: 'entered' }],
  ['listed', 'https://a.test/v1', 'm', null, listed, { billing: 'priced', price: listed, price_source: 'listed' }],
  ['entered before local', 'http://127.0.0.1:1/v1', 'm', entered, null, { billing: 'priced', price: entered, price_source: 'entered' }],
  ['local', 'http://127.0.0.1:11434/v1', 'm', null, null, { billing: 'local', price: null, price_source: null }],
  ['in the own network', 'http://192.168.0.7:8000/v1', 'm', null, null, { billing: 'local', price: null, price_source: null }],
  [
    'passed on by Ollama',
    'http://127.0.0.1:11434/v1',
    'gpt-oss:120b-cloud',
    null,
    null,
    { billing: 'unknown', price: null, price_source: null },
  ],
  ['a local gateway', 'http://127.0.0.1:8787/api/v1/llm', 'm', null, null, { billing: 'unknown', price: null, price_source: null }],
  ['a provider without prices', 'https://api.openai.com/v1', 'm', null, null, { billing: 'unknown', price: null, price_source: null }],
  ['an address that was not recorded', null, 'm', null, null, { billing: 'unknown', price: null, price_source: null }],
] as const)('%s', (_what, address, model, own, ofList, billing) => {
  expect(billingOf({ address, model, entered: own, listed: ofList })).toEqual(billing)
})

test('a month is in UTC', () => {
  expect(monthRange('2026-12')).toEqual([Date.parse('2026-12-01T00:00:00Z'), Date.parse('2027-01-01T00:00:00Z')])
  expect(monthOf(Date.parse('2026-12-31T23:59:59.999Z'))).toBe('2026-12')
})

let home: string
let store: Store
let records: ModelRecords
let usage: UsageReader
let number = 0

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-usage-'))
  store = openStore({ home, clock: testClock() })
  records = openModelRecords(store)
  usage = openUsage(store, records)
  number = 0
  for (const [no, id] of [
    [1, 'c1'],
    [2, 'c2'],
  ] as const)
    store.sql.run`
      INSERT INTO conversations (no, conversation_id, agent_id, title, workspace, created_at, updated_at) VALUES (${no}, ${id}, 'a', 't', '/w', 0, 0)`
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

interface TestRun {
  readonly conversation?: number
  readonly model?: string
  readonly tokens?: readonly [input: number, cached: number, output: number]
  readonly at?: string
  readonly device_id?: string
  readonly address?: string | null
  readonly parent?: string
}

function run(id: string, { conversation = 1, model = 'm', tokens = [100, 40, 10], at = '2026-11-05', ...rest }: TestRun = {}): void {
  const { device_id = store.device_id, address = 'https://a.test/v1', parent } = rest
  number += 1
  const started = Date.parse(`${at}T00:00:00Z`)
  store.sql.run`
    INSERT INTO runs (no, run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, input_tokens, cached_tokens, output_tokens,
      started_at, updated_at)
    VALUES (${number}, ${id}, ${conversation}, 'a', ${device_id}, 't', 'completed', ${model}, 'workspace', ${tokens[0]}, ${tokens[1]},
      ${tokens[2]}, ${started}, ${started})`
  if (address !== null) records.putRunAddress(id, address)
  if (parent === undefined) return
  store.sql.run`
    INSERT INTO team_members (run_id, parent_run_id, root_run_id, call_id, depth, title, task_sha256, workspace, claims, started_in, share_tokens,
      share_turns, share_is_fixed, is_awaited)
    VALUES (${id}, ${parent}, 'root', 'x', 1, 't', 's', '/w', '[]', 'here', 0, 0, 0, 0)`
}

const sums = ({ rows }: { rows: readonly { model: string; runs: number; usage: object }[] }) =>
  rows.map(({ model, runs, usage: used }) => ({ model, runs, ...used }))
const tokens = (runs: number, model = 'm') => ({
  ...{ model, runs, input_tokens: runs * 100, cached_tokens: runs * 40, output_tokens: runs * 10, estimated: false },
})

test('members of a team count once: with their run, with its conversation, and in the month', () => {
  run('root')
  run('member', { parent: 'root', conversation: 2 })
  run('member-of-member', { parent: 'member', conversation: 1 })
  run('other', { conversation: 2 })
  expect(sums(usage.ofRun('root'))).toEqual([tokens(3)])
  expect(sums(usage.ofRun('member'))).toEqual([tokens(2)])
  expect(sums(usage.ofConversation('c1'))).toEqual([tokens(3)])
  expect(sums(usage.ofMonth('2026-11'))).toEqual([tokens(4)])
})

test('runs of other devices, runs without tokens and other months are not counted', () => {
  run('here')
  run('elsewhere', { device_id: 'phone' })
  run('empty', { tokens: [0, 0, 0] })
  run('before', { at: '2026-10-31' })
  run('after', { at: '2026-12-01' })
  expect(sums(usage.ofMonth('2026-11'))).toEqual([tokens(1)])
  expect(usage.months()).toEqual(['2026-12', '2026-11', '2026-10'])
  expect(usage.ofMonth('2026-01')).toEqual({
    month: '2026-01',
    rows: [],
    total: { runs: 0, usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false } },
  })
})

test('a month has the tokens of work in the background and of erased conversations, once', () => {
  run('here')
  run('erased', { conversation: 2 })
  run('erased-elsewhere', { conversation: 2, address: null, model: 'other' })
  run('of-another-device', { conversation: 2, device_id: 'phone' })
  const before = usage.ofMonth('2026-11')
  store.transaction(() => {
    keepUsageOf(store, JSON.stringify(['erased', 'erased-elsewhere', 'of-another-device']))
    store.sql.run`DELETE FROM runs WHERE conversation = 2`
  })
  expect(usage.ofMonth('2026-11')).toEqual(before)
  const used = { input_tokens: 7, output_tokens: 3, cached_tokens: 2, estimated: true }
  const background = { month: '2026-11', model: 'm', address: 'https://a.test/v1', usage: used }
  for (const kind of ['memory', 'second_opinion', 'memory'] as const) addMonthUsage(store, { ...background, kind })
  addMonthUsage(store, { ...background, kind: 'wording', month: '2026-09', address: null })
  expect(sums(usage.ofMonth('2026-11'))).toEqual([
    { model: 'm', runs: 2, input_tokens: 221, cached_tokens: 86, output_tokens: 29, estimated: true },
    tokens(1, 'other'),
  ])
  expect(sums(usage.ofMonth('2026-09'))).toEqual([{ model: 'm', runs: 0, ...used }])
  expect(usage.months()).toEqual(['2026-11', '2026-09'])
})

test('the price of a row is that of the address where its runs were made', () => {
  const model = { id: 'm', name: null, context_tokens: null, images: null, tools: null, price: listed }
  records.putList('https://a.test/v1', { models: [model], omitted: 0 })
  run('listed')
  run('elsewhere', { address: 'https://b.test/v1' })
  run('local', { address: 'http://127.0.0.1:11434/v1' })
  run('older', { address: null })
  const costs = () => usage.ofMonth('2026-11').rows.map(({ address, billing, cost }) => [address, billing, cost?.dollars ?? null])
  expect(new Set(costs())).toEqual(
    new Set([
      ['https://a.test/v1', 'priced', (100 * 1 + 10 * 2) / 1e6],
      [null, 'unknown', null],
      ['http://127.0.0.1:11434/v1', 'local', null],
      ['https://b.test/v1', 'unknown', null],
    ]),
  )
  records.putPrice('https://b.test/v1', 'm', entered)
  expect(costs()).toContainEqual(['https://b.test/v1', 'priced', (60 * 3 + 40 * 0.3 + 10 * 15) / 1e6])
  records.putPrice('https://b.test/v1', 'm', null)
  expect(costs()).toContainEqual(['https://b.test/v1', 'unknown', null])
})

test('the first address of a run counts', () => {
  run('r')
  records.putRunAddress('r', 'https://b.test/v1')
  expect(usage.ofRun('r').rows.map(({ address }) => address)).toEqual(['https://a.test/v1'])
})

test('the rows of a month add up to the tokens of its runs', () => {
  const some = fc.record({ model: fc.constantFrom('a', 'b'), tokens: fc.tuple(fc.nat(1e9), fc.nat(1e9), fc.nat(1e9)) })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 12 }), (runs) => {
      store.sql.run`DELETE FROM runs`
      for (const [at, one] of runs.entries()) run(`r${at}`, one)
      const { rows, total } = usage.ofMonth('2026-11')
      const sum = (of: (one: (typeof runs)[number]) => number) => runs.reduce((all, one) => all + of(one), 0)
      expect(total.usage.input_tokens).toBe(sum((one) => (one.tokens[0] + one.tokens[2] > 0 ? one.tokens[0] : 0)))
      expect(total.usage.output_tokens).toBe(sum((one) => one.tokens[2]))
      expect(rows.reduce((all, row) => all + row.runs, 0)).toBe(total.runs)
    }),
    { numRuns: 30 },
  )
})

test('only the lists that were read last are kept', () => {
  for (let at = 0; at < 25; at++) records.putList(`https://${String(at).padStart(2, '0')}.test/v1`, { models: [], omitted: at })
  expect(store.sql.get`SELECT count(*) AS count FROM model_lists`).toEqual({ count: 20 })
})
