import type { PolicyCandidateRule, PolicyChange } from '@tandem/contract/policy-candidate'
import { policyChangeFields } from '@tandem/contract/policy-candidate'
import type { ApprovalRule, ToolPolicy } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { type CallFields, denied, fetches, historyOf, repeated, runs, writes } from '../../../test/support/learning/test-recorded-calls.ts'
import { recommend } from './rule/recommend.ts'
import { change } from './rule/recommended.ts'
import { openCommandCache } from './rule/understood-command.ts'
import type { ShadowResult } from './rule/weigh.ts'
import { shadow } from './shadow.ts'

const commands = openCommandCache()

interface Shadowed {
  readonly rule: PolicyCandidateRule
  readonly calls: readonly CallFields[]
  readonly set?: Readonly<Record<string, Partial<ToolPolicy>>>
  readonly changes: readonly PolicyChange[]
  readonly widens?: boolean
}

/** The evidence is every call. */
function shadowed({ rule, calls, set, changes, widens = false }: Shadowed): Promise<ShadowResult> {
  const history = historyOf(calls, set)
  const ports = { commands, enforcement: () => 'os' as const, policyOf: history.policyOf, elapsed: () => 0 }
  return shadow(
    { rule, changes, widens, evidence: history.calls.map(({ run_id, call_id }) => ({ run_id, call_id })) },
    history.calls,
    ports,
  )
}

const approved: CallFields = { answer: 'once' }
const ls: ApprovalRule = { kind: 'command', words: ['ls'] }
const space: ApprovalRule = { kind: 'path', path: '/srv/space' }
const usualScope = { roots: ['.'], globs: ['**'] }
const required = { 'fs.read': { approval_mode: 'required' } } as const
const reads = (path: string): CallFields => ({ tool: 'fs.read', effects: [{ does: 'read', path }] })
const refusedByScope = (host: string): CallFields => ({
  ...{ ...fetches(host), ...approved, outcome: 'denied', taxonomy: 'policy_failure', reason_code: 'host_out_of_scope' },
})
const slow = (duration_ms: number): CallFields => ({ ...runs('make all'), duration_ms })
const cutOff: CallFields = { ...slow(120_000), outcome: 'timed_out', taxonomy: 'policy_failure' }
const failing: CallFields = { tool: 'mcp.tracker.list', effects: [], outcome: 'failed', reason_code: 'server_exited', stage: 'mcp' }
const polls = (run_id: string, count: number): readonly CallFields[] =>
  Array.from({ length: count }, (_, at) => ({ ...fetches('a.example'), run_id, result: 'same', started_at: at * 1_000 }))

const passing: readonly (Shadowed & { readonly name: string; readonly divergence: readonly [string, string] })[] = [
  {
    name: 'enabled',
    rule: 'failing_tool',
    calls: repeated(6, failing),
    changes: [change('mcp.tracker.list', 'enabled', true, false)],
    divergence: ['allowed', 'refused'],
  },
  {
    name: 'approval_mode',
    rule: 'approved_reading',
    calls: repeated(10, { ...reads('a.md'), ...approved }),
    set: required,
    changes: [change('fs.read', 'approval_mode', 'required', 'auto')],
    widens: true,
    divergence: ['approved by you', 'allowed without asking'],
  },
  {
    name: 'remembered',
    rule: 'approved_rule',
    calls: repeated(10, { ...runs('ls src', [ls]), ...approved }),
    changes: [change('shell.exec', 'remembered', [], [ls])],
    widens: true,
    divergence: ['approved by you', 'allowed without asking'],
  },
  {
    name: 'fs_scope',
    rule: 'denied_path',
    calls: repeated(6, { ...writes('keys.env'), ...denied }),
    changes: [change('fs.write', 'fs_scope', usualScope, { roots: ['.'], globs: ['**', '!keys.env'] })],
    divergence: ['denied by you', 'refused'],
  },
  {
    name: 'network_scope, narrower',
    rule: 'refused_host',
    calls: repeated(6, { ...fetches('b.example'), ...denied }),
    set: { 'web.fetch': { network_scope: { hosts: ['a.example', 'b.example'] } } },
    changes: [change('web.fetch', 'network_scope', { hosts: ['a.example', 'b.example'] }, { hosts: ['a.example'] })],
    divergence: ['denied by you', 'refused'],
  },
  {
    name: 'network_scope, wider',
    rule: 'refused_host',
    calls: repeated(6, refusedByScope('b.example')),
    set: { 'web.fetch': { network_scope: { hosts: ['a.example'] } } },
    changes: [change('web.fetch', 'network_scope', { hosts: ['a.example'] }, { hosts: ['a.example', 'b.example'] })],
    widens: true,
    divergence: ['approved by you, then refused: host_out_of_scope', 'carried out after your approval'],
  },
  {
    name: 'rate_limit',
    rule: 'repeated_call',
    calls: [...polls('run-a', 8), ...polls('run-b', 8), ...polls('run-c', 8)],
    changes: [change('web.fetch', 'rate_limit', { calls: 120, per_seconds: 60 }, { calls: 5, per_seconds: 60 })],
    divergence: ['allowed', 'refused'],
  },
]

test.each(passing)('passes: $name', async ({ divergence, ...row }) => {
  const found = await shadowed(row)
  const [first] = found.divergences
  expect([found.verdict, first?.decided, first?.would_decide, found.calls_unjudged]).toEqual(['passed', ...divergence, 0])
})

test('a longer time limit passes, and what it would have changed is not known', async () => {
  const found = await shadowed({
    ...{ rule: 'short_time_limit', widens: true },
    calls: [...repeated(3, cutOff), ...repeated(5, slow(200_000))],
    changes: [change('shell.exec', 'time_limit', { seconds: 120 }, { seconds: 300 })],
  })
  expect(found).toEqual({
    ...{ verdict: 'passed', runs_checked: 3, calls_checked: 5, calls_unjudged: 3, divergences: [] },
    summary:
      '5 recorded calls from 3 runs were checked. 0 of them would have been decided differently, and no call that succeeded would have been lost.',
  })
})

const lost = 'of them succeeded and would have been refused or stopped.'
const allowed = 'of them were denied or blocked and would have been allowed.'

const harmful: readonly (Shadowed & { readonly name: string; readonly why: string })[] = [
  {
    name: 'enabled: a tool that succeeded',
    rule: 'failing_tool',
    calls: [...repeated(9, failing), { ...failing, outcome: 'succeeded' }],
    changes: [change('mcp.tracker.list', 'enabled', true, false)],
    why: `1 ${lost}`,
  },
  {
    name: 'approval_mode: a read that a person denied',
    rule: 'approved_reading',
    calls: [...repeated(10, { ...reads('a.md'), ...approved }), { ...reads('keys.env'), ...denied }],
    set: required,
    changes: [change('fs.read', 'approval_mode', 'required', 'auto')],
    widens: true,
    why: `1 ${allowed}`,
  },
  {
    name: 'approval_mode: a read that was out of scope',
    rule: 'approved_reading',
    calls: [
      ...repeated(10, { ...reads('a.md'), ...approved }),
      { ...reads('/etc/x'), ...approved, taxonomy: 'policy_failure', outcome: 'denied' },
    ],
    set: required,
    changes: [change('fs.read', 'approval_mode', 'required', 'auto')],
    widens: true,
    why: `1 ${allowed}`,
  },
  {
    name: 'remembered: a rule that covers a write that a person denied',
    rule: 'approved_rule',
    calls: [...repeated(10, { ...writes('a.md'), ...approved, remembers: [space] }), { ...writes('b.md'), ...denied, remembers: [space] }],
    changes: [change('fs.write', 'remembered', [], [space])],
    widens: true,
    why: `1 ${allowed}`,
  },
  {
    name: 'fs_scope: a file that was written',
    rule: 'denied_path',
    calls: [...repeated(6, { ...writes('keys.env'), ...denied }), writes('src/a.ts')],
    changes: [change('fs.write', 'fs_scope', usualScope, { roots: ['docs'], globs: ['**'] })],
    why: `1 ${lost}`,
  },
  {
    name: 'fs_scope: a command that is not understood counts as refused',
    rule: 'denied_path',
    calls: [...repeated(6, runs('ls src')), runs('for f in *; do cat $f; done')],
    changes: [change('shell.exec', 'fs_scope', usualScope, { roots: ['.'], globs: ['**', '!keys.env'] })],
    why: `1 ${lost}`,
  },
  {
    name: 'network_scope: a host that was used',
    rule: 'refused_host',
    calls: [...repeated(6, { ...fetches('b.example'), ...denied }), fetches('c.example')],
    changes: [change('web.fetch', 'network_scope', { hosts: ['*'] }, { hosts: ['a.example'] })],
    why: `1 ${lost}`,
  },
  {
    name: 'network_scope: a host that no one approved',
    rule: 'refused_host',
    calls: [...repeated(6, refusedByScope('b.example')), { ...refusedByScope('b.example'), answer: null }],
    set: { 'web.fetch': { network_scope: { hosts: ['a.example'] } } },
    changes: [change('web.fetch', 'network_scope', { hosts: ['a.example'] }, { hosts: ['a.example', 'b.example'] })],
    widens: true,
    why: `1 ${allowed}`,
  },
  {
    name: 'rate_limit: other calls that were made',
    rule: 'repeated_call',
    calls: [...polls('run-a', 8), ...Array.from({ length: 6 }, (_, at) => ({ ...fetches(`${at}.example`), started_at: 7_500 + at }))],
    changes: [change('web.fetch', 'rate_limit', { calls: 120, per_seconds: 60 }, { calls: 5, per_seconds: 60 })],
    why: `6 ${lost}`,
  },
  {
    name: 'time_limit: a command that took longer',
    rule: 'short_time_limit',
    calls: [...repeated(6, slow(10_000)), slow(90_000)],
    changes: [change('shell.exec', 'time_limit', { seconds: 120 }, { seconds: 60 })],
    why: `1 ${lost}`,
  },
]

test.each(harmful)('rejects $name', async ({ why, name: _, ...row }) => {
  const found = await shadowed(row)
  expect([found.verdict, found.summary.replace(/^.*checked\. /, '')]).toEqual(['failed', why])
})

test('every field has a harmful candidate', () => {
  const fields = harmful.flatMap(({ changes }) => changes.map(({ field }) => field))
  expect([...new Set(fields)].sort()).toEqual([...policyChangeFields].sort())
})

test('what was undone is not lost', async () => {
  const found = await shadowed({
    rule: 'failing_tool',
    calls: [...repeated(9, failing), { ...failing, outcome: 'succeeded', undone: true }],
    changes: [change('mcp.tracker.list', 'enabled', true, false)],
  })
  expect(found.verdict).toBe('passed')
})

test('a candidate that changes nothing for its calls fails', async () => {
  const found = await shadowed({
    rule: 'denied_path',
    calls: repeated(6, { ...writes('keys.env'), ...denied }),
    changes: [change('fs.write', 'fs_scope', usualScope, { roots: ['.'], globs: ['**', '!other.env'] })],
  })
  expect([found.verdict, found.summary]).toEqual([
    'failed',
    '6 recorded calls from 3 runs were checked. The calls that led to this candidate would have ended the same.',
  ])
})

test.each<[string, readonly CallFields[]]>([
  ['four calls', repeated(4, failing)],
  ['two runs', repeated(9, failing).map((call, at) => ({ ...call, run_id: `run-${at % 2}` }))],
  ['calls that were not decided', repeated(9, { ...failing, outcome: 'canceled', started_at: null })],
])('too few: %s', async (_, calls) => {
  const { verdict } = await shadowed({ rule: 'failing_tool', calls, changes: [change('mcp.tracker.list', 'enabled', true, false)] })
  expect(verdict).toBe('too_few')
})

test('every divergence is returned, however many there are', async () => {
  const found = await shadowed({
    rule: 'failing_tool',
    calls: repeated(300, failing),
    changes: [change('mcp.tracker.list', 'enabled', true, false)],
  })
  expect([found.calls_checked, found.divergences.length]).toEqual([300, 300])
})

test('what a history suggests passes its own shadow', async () => {
  const history = historyOf([...repeated(3, { ...writes('keys.env'), ...denied }), ...repeated(5, writes('a.md'))])
  const found = recommend(history, [])
  if (!found) throw new Error('nothing was recommended')
  const ports = { commands, enforcement: () => 'os' as const, policyOf: history.policyOf, elapsed: () => 0 }
  expect((await shadow({ ...found, evidence: [...found.evidence] }, history.calls, ports)).verdict).toBe('passed')
})

test('other work is done between slices, and a command is understood once', async () => {
  const calls = Array.from({ length: 50 }, (_, at) => ({ ...runs(`ls folder-${at}`), ...approved }))
  const history = historyOf(calls)
  let [now, between, done] = [0, 0, false]
  const other = () => {
    between += 1
    if (!done) setImmediate(other)
  }
  const counted = openCommandCache()
  let understood = 0
  const understand: typeof counted.understand = (command, place) => {
    understood += 1
    return counted.understand(command, place)
  }
  const ports = {
    commands: { known: counted.known, understand },
    enforcement: () => 'os' as const,
    policyOf: history.policyOf,
    // Every look at the clock takes 5 ms.
    elapsed: () => (now += 5),
  }
  const candidate = {
    ...{ rule: 'approved_rule' as const, widens: true, evidence: [] },
    changes: [change('shell.exec', 'remembered', [], [ls])],
  }
  setImmediate(other)
  await shadow(candidate, history.calls, ports)
  await shadow(candidate, history.calls, ports)
  done = true
  expect([understood, between > 10]).toEqual([50, true])
})

test('in strict mode, a host next to "every host" opens only itself', async () => {
  const found = await shadowed({
    rule: 'refused_host',
    calls: ['b.example', 'c.example'].flatMap((host) => repeated(3, { ...refusedByScope(host), sandbox_mode: 'strict' })),
    changes: [change('web.fetch', 'network_scope', { hosts: ['*'] }, { hosts: ['*', 'b.example'] })],
    widens: true,
  })
  const decided = (call_id: string) => found.divergences.find((one) => one.call_id === call_id)?.would_decide
  expect([found.verdict, decided('call-0'), decided('call-5')]).toEqual(['passed', 'carried out after your approval', 'refused'])
})
