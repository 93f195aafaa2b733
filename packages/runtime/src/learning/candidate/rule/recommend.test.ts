import type { PolicyCandidateRule, PolicyChange } from '@tandem/contract/policy-candidate'
import { policyCandidateRules } from '@tandem/contract/policy-candidate'
import type { ApprovalRule, ToolPolicy } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import {
  type CallFields,
  denied,
  fetches,
  historyOf,
  repeated,
  runs,
  writes,
} from '../../../../test/support/learning/test-recorded-calls.ts'
import { candidateRules, type EarlierCandidate, recommend } from './recommend.ts'
import { gapRules } from './wished.ts'

interface RuleRow {
  readonly rule: PolicyCandidateRule
  readonly name: string
  readonly calls: readonly CallFields[]
  readonly set?: Readonly<Record<string, Partial<ToolPolicy>>>
  readonly remembered?: readonly ApprovalRule[]
}

const npmTest: ApprovalRule = { kind: 'command', words: ['npm', 'test'], folder: '/srv/space', instructions: 'a'.repeat(64) }
const approved: CallFields = { answer: 'once' }
const required = { 'fs.read': { approval_mode: 'required' } } as const
const reads: CallFields = { tool: 'fs.read', effects: [{ does: 'read', path: 'a.md' }] }
const cutOff: CallFields = {
  ...runs('make all'),
  outcome: 'timed_out',
  taxonomy: 'policy_failure',
  reason_code: 'time_limit_exceeded',
  duration_ms: 120_000,
}
const polls = (run_id: string, count: number): readonly CallFields[] =>
  Array.from({ length: count }, (_, at) => ({ ...fetches('a.example'), run_id, result: 'same', started_at: at * 1_000 }))
const removed: CallFields = {
  ...{ tool: 'mcp.tracker.list', effects: [], outcome: 'failed', reason_code: 'unknown_tool', stage: 'mcp', recoverability: 'terminal' },
}
const unset: CallFields = {
  ...{ tool: 'web.search', effects: [], outcome: 'failed', reason_code: 'search_not_configured', stage: 'tool_execution' },
  recoverability: 'user_action',
}
const inRuns = (list: readonly CallFields[]) => list.map((fields, at) => ({ ...fields, run_id: `run-${at}` }))
const refusedByScope: CallFields = {
  ...fetches('docs.example'),
  ...approved,
  outcome: 'denied',
  taxonomy: 'policy_failure',
  reason_code: 'host_out_of_scope',
  named_hosts: ['docs.example'],
}
const listed = { 'web.fetch': { network_scope: { hosts: ['a.example', 'b.example'] } } }

const arising: readonly (RuleRow & { readonly changes: readonly PolicyChange[]; readonly title: string; readonly widens: boolean })[] = [
  {
    rule: 'denied_path',
    name: 'the same path was denied three times',
    calls: [...repeated(3, { ...writes('conf/keys.env'), ...denied }), writes('a.md')],
    changes: [
      {
        ...{ tool: 'fs.write', field: 'fs_scope', from: '{"globs":["**"],"roots":["."]}' },
        to: '{"globs":["**","!conf/keys.env"],"roots":["."]}',
      },
    ],
    title: 'Exclude conf/keys.env from what fs.write may access, because you denied it 3 times.',
    widens: false,
  },
  {
    rule: 'denied_path',
    name: 'patterns are relative to their root',
    calls: repeated(3, { ...writes('conf/keys.env'), ...denied }),
    set: { 'fs.write': { fs_scope: { roots: ['conf'], globs: ['**'] } } },
    changes: [
      {
        ...{ tool: 'fs.write', field: 'fs_scope', from: '{"globs":["**"],"roots":["conf"]}' },
        to: '{"globs":["**","!keys.env"],"roots":["conf"]}',
      },
    ],
    title: 'Exclude conf/keys.env from what fs.write may access, because you denied it 3 times.',
    widens: false,
  },
  {
    rule: 'approved_rule',
    name: 'the same command was approved ten times in a row',
    calls: repeated(10, { ...runs('npm test', [npmTest]), ...approved }),
    changes: [{ tool: 'shell.exec', field: 'remembered', from: '[]', to: `[${canonical(npmTest)}]` }],
    title: 'Allow shell.exec "npm test" in /srv/space without asking, because you approved it 10 times in a row.',
    widens: true,
  },
  {
    rule: 'approved_reading',
    name: 'every call of a reading tool was approved',
    calls: repeated(10, { ...reads, ...approved, remembers: [{ kind: 'tool' }] }),
    set: required,
    changes: [{ tool: 'fs.read', field: 'approval_mode', from: '"required"', to: '"auto"' }],
    title: 'Let fs.read run without asking, because it only reads and you approved it 10 times in a row.',
    widens: true,
  },
  {
    rule: 'short_time_limit',
    name: 'a command was stopped three times, and succeeded with more time',
    calls: [...repeated(3, cutOff), { ...runs('make all'), duration_ms: 200_000 }],
    changes: [{ tool: 'shell.exec', field: 'time_limit', from: '{"seconds":120}', to: '{"seconds":300}' }],
    title: 'Give shell.exec 300 s instead of 120 s, because make all was stopped 3 times and then succeeded in 200 s.',
    widens: true,
  },
  {
    rule: 'short_time_limit',
    name: 'a command was stopped three times, and succeeded in the background',
    calls: [...repeated(3, cutOff), { ...runs('make all'), duration_ms: 20, background: { succeeded_after_ms: 200_000 } }],
    changes: [{ tool: 'shell.exec', field: 'time_limit', from: '{"seconds":120}', to: '{"seconds":300}' }],
    title: 'Give shell.exec 300 s instead of 120 s, because make all was stopped 3 times and then succeeded in 200 s.',
    widens: true,
  },
  {
    rule: 'repeated_call',
    name: 'the same call got the same result again and again, in two runs',
    calls: [...polls('run-a', 12), ...polls('run-b', 12)],
    changes: [
      {
        ...{ tool: 'web.fetch', field: 'rate_limit', from: '{"calls":120,"per_seconds":60}' },
        to: '{"calls":5,"per_seconds":60}',
      },
    ],
    title: 'Limit web.fetch to 5 calls per 60 s, because it was repeated with the same result in 2 runs.',
    widens: false,
  },
  {
    rule: 'refused_host',
    name: 'a listed host was always denied',
    calls: repeated(3, { ...fetches('b.example'), ...denied }),
    set: listed,
    changes: [
      {
        ...{ tool: 'web.fetch', field: 'network_scope', from: '{"hosts":["a.example","b.example"]}' },
        to: '{"hosts":["a.example"]}',
      },
    ],
    title: 'Remove b.example from the hosts of web.fetch, because you denied it 3 times.',
    widens: false,
  },
  {
    rule: 'refused_host',
    name: 'a host was named and approved by the person, and refused by the scope',
    calls: repeated(3, refusedByScope),
    set: listed,
    changes: [
      {
        ...{ tool: 'web.fetch', field: 'network_scope', from: '{"hosts":["a.example","b.example"]}' },
        to: '{"hosts":["a.example","b.example","docs.example"]}',
      },
    ],
    title:
      'Add docs.example to the hosts of web.fetch, because you asked for it and approved it 3 times, and the network scope refused it.',
    widens: true,
  },
  {
    rule: 'refused_host',
    name: 'in strict mode, every host does not include one that the person named',
    calls: repeated(3, { ...refusedByScope, sandbox_mode: 'strict' }),
    changes: [{ tool: 'web.fetch', field: 'network_scope', from: '{"hosts":["*"]}', to: '{"hosts":["*","docs.example"]}' }],
    title:
      'Add docs.example to the hosts of web.fetch, because you asked for it and approved it 3 times, and the network scope refused it.',
    widens: true,
  },
  {
    rule: 'failing_tool',
    name: 'every call fails for the same reason',
    calls: inRuns(repeated(5, removed)),
    changes: [{ tool: 'mcp.tracker.list', field: 'enabled', from: 'true', to: 'false' }],
    title: 'Disable mcp.tracker.list, because all 5 calls of it failed, in 5 runs.',
    widens: false,
  },
  {
    rule: 'failing_tool',
    name: 'every call fails for various reasons',
    calls: inRuns([
      ...repeated(4, { ...reads, outcome: 'failed', stage: 'tool_validation' }),
      { ...reads, outcome: 'failed', stage: 'tool_execution' },
    ]),
    changes: [{ tool: 'fs.read', field: 'approval_mode', from: '"auto"', to: '"required"' }],
    title: 'Ask before each call of fs.read, because all 5 calls of it failed, in 5 runs.',
    widens: false,
  },
]

test.each(arising)('$rule arises: $name', ({ calls, set, remembered, name: _, ...expected }) => {
  expect(recommend(historyOf(calls, set, remembered), [])).toMatchObject(expected)
})

const absent: readonly RuleRow[] = [
  { rule: 'denied_path', name: 'denied twice', calls: repeated(2, { ...writes('keys.env'), ...denied }) },
  { rule: 'denied_path', name: 'allowed once', calls: [...repeated(5, { ...writes('keys.env'), ...denied }), writes('keys.env')] },
  {
    rule: 'denied_path',
    name: 'denied by the policy, not by a person',
    calls: repeated(5, { ...writes('keys.env'), outcome: 'denied', taxonomy: 'policy_failure' }),
  },
  { rule: 'denied_path', name: 'different paths', calls: ['a', 'b', 'c'].map((path) => ({ ...writes(path), ...denied })) },
  { rule: 'denied_path', name: 'a name that is a pattern', calls: repeated(3, { ...writes('[a].env'), ...denied }) },
  { rule: 'denied_path', name: 'outside the workspace', calls: repeated(3, { ...writes('/etc/passwd'), ...denied }) },
  { rule: 'approved_rule', name: 'approved nine times', calls: repeated(9, { ...runs('npm test', [npmTest]), ...approved }) },
  {
    rule: 'approved_rule',
    name: 'denied once',
    calls: [{ ...runs('npm test', [npmTest]), ...denied }, ...repeated(20, { ...runs('npm test', [npmTest]), ...approved })],
  },
  {
    rule: 'approved_rule',
    name: 'with a warning',
    calls: [
      { ...runs('npm test', [npmTest]), ...approved, warned: true },
      ...repeated(20, { ...runs('npm test', [npmTest]), ...approved }),
    ],
  },
  { rule: 'approved_rule', name: 'nothing was offered', calls: repeated(20, { ...runs('rm -r build'), ...approved }) },
  {
    rule: 'approved_rule',
    name: 'with changed arguments',
    calls: repeated(20, { ...runs('npm test', [npmTest]), ...approved, edited: true }),
  },
  {
    rule: 'approved_rule',
    name: 'already remembered',
    calls: repeated(20, { ...runs('npm test', [npmTest]), ...approved }),
    remembered: [npmTest],
  },
  {
    rule: 'approved_rule',
    name: 'an answer that is not known here',
    calls: repeated(20, { ...runs('npm test', [npmTest]), answer: 'perhaps' }),
  },
  {
    rule: 'approved_reading',
    name: 'denied once',
    calls: [{ ...reads, ...denied }, ...repeated(20, { ...reads, ...approved })],
    set: required,
  },
  {
    rule: 'approved_reading',
    name: 'one call did more than reading',
    calls: [{ ...reads, effects: [{ does: 'write', path: 'a' }] }, ...repeated(20, { ...reads, ...approved })],
    set: required,
  },
  {
    rule: 'approved_reading',
    name: 'requests to hosts',
    calls: repeated(20, { ...fetches('a.example'), ...approved }),
  },
  {
    rule: 'approved_reading',
    name: 'the person wants to approve each call',
    calls: repeated(20, { ...reads, ...approved }),
    set: { 'fs.read': { approval_mode: 'manual_each_call' } },
  },
  { rule: 'short_time_limit', name: 'it never succeeded', calls: repeated(10, cutOff) },
  {
    rule: 'short_time_limit',
    name: 'another command succeeded',
    calls: [...repeated(3, cutOff), { ...runs('make b'), duration_ms: 200_000 }],
  },
  {
    rule: 'short_time_limit',
    name: 'it succeeded in less time',
    calls: [...repeated(3, cutOff), { ...runs('make all'), duration_ms: 50_000 }],
  },
  {
    rule: 'short_time_limit',
    name: 'it was left running in the background, and its end is not known',
    calls: [...repeated(3, cutOff), { ...runs('make all'), duration_ms: 200_000, background: { succeeded_after_ms: null } }],
  },
  {
    rule: 'short_time_limit',
    name: 'it succeeded in the background in less time',
    calls: [...repeated(3, cutOff), { ...runs('make all'), duration_ms: 20, background: { succeeded_after_ms: 50_000 } }],
  },
  {
    rule: 'short_time_limit',
    name: 'the limit was raised since',
    calls: [...repeated(3, cutOff), { ...runs('make all'), duration_ms: 200_000 }],
    set: { 'shell.exec': { time_limit: { seconds: 250 } } },
  },
  { rule: 'repeated_call', name: 'in one run only', calls: polls('run-a', 30) },
  {
    rule: 'repeated_call',
    name: 'with different results',
    calls: ['run-a', 'run-b'].flatMap((run) => polls(run, 20).map((call, at) => ({ ...call, result: `${at}` }))),
  },
  {
    rule: 'repeated_call',
    name: 'other calls need the same rate',
    calls: [
      ...polls('run-a', 8),
      ...polls('run-b', 8),
      ...Array.from({ length: 40 }, (_, at) => ({ ...fetches(`${at}.example`), run_id: 'run-c', started_at: at * 500 })),
    ],
  },
  { rule: 'refused_host', name: 'every host is allowed', calls: repeated(3, { ...fetches('b.example'), ...denied }) },
  {
    rule: 'refused_host',
    name: 'approved once',
    calls: [{ ...fetches('b.example'), ...approved }, ...repeated(5, { ...fetches('b.example'), ...denied })],
    set: listed,
  },
  {
    rule: 'refused_host',
    name: 'approved, but the person did not name the host: text that a tool returned did',
    calls: repeated(9, { ...refusedByScope, named_hosts: [] }),
    set: listed,
  },
  {
    rule: 'refused_host',
    name: 'the person named it in too few calls',
    calls: [...repeated(2, refusedByScope), ...repeated(9, { ...refusedByScope, named_hosts: [] })],
    set: listed,
  },
  { rule: 'refused_host', name: 'every host was added since', calls: repeated(3, refusedByScope) },
  {
    rule: 'refused_host',
    name: 'in strict mode, its domain was added since',
    calls: repeated(3, {
      ...refusedByScope,
      effects: [{ does: 'fetch', host: 'api.docs.example' }],
      named_hosts: ['api.docs.example'],
      sandbox_mode: 'strict',
    }),
    set: { 'web.fetch': { network_scope: { hosts: ['*', '*.docs.example'] } } },
  },
  { rule: 'refused_host', name: 'refused without an approval', calls: repeated(5, { ...refusedByScope, answer: null }), set: listed },
  {
    rule: 'refused_host',
    name: 'a private address, which the sandbox refuses',
    calls: repeated(5, { ...refusedByScope, effects: [{ does: 'fetch', host: '10.0.0.1' }], reason_code: 'address_forbidden' }),
    set: listed,
  },
  { rule: 'failing_tool', name: 'for a reason that the user can repair elsewhere', calls: inRuns(repeated(9, unset)) },
  {
    rule: 'failing_tool',
    name: 'for such a reason, where nobody is asked about its calls',
    calls: inRuns(repeated(9, { ...reads, outcome: 'failed', stage: 'tool_execution', recoverability: 'user_action' })),
  },
  { rule: 'failing_tool', name: 'for a reason that may pass', calls: inRuns(repeated(9, { ...unset, recoverability: 'retryable' })) },
  { rule: 'failing_tool', name: 'as an earlier version recorded it', calls: inRuns(repeated(9, { ...unset, recoverability: null })) },
  { rule: 'failing_tool', name: 'in four runs', calls: inRuns(repeated(4, removed)) },
  {
    rule: 'failing_tool',
    name: 'one call succeeded',
    calls: [...inRuns(repeated(9, removed)), { ...removed, outcome: 'succeeded', recoverability: null }],
  },
  {
    rule: 'failing_tool',
    name: 'a failing command is a normal result',
    calls: inRuns(repeated(9, { ...runs('false'), command_failed: true })),
  },
]

test.each(absent)('$rule does not arise: $name', ({ rule, calls, set, remembered }) => {
  expect(candidateRules.find((row) => row.rule === rule)?.propose(historyOf(calls, set, remembered))).toEqual([])
})

test('every rule of the contract is in the table, with histories for and against it', () => {
  const sorted = (names: readonly string[]) => [...new Set(names)].sort()
  const ofGaps: readonly string[] = gapRules
  const all = policyCandidateRules.filter((rule) => !ofGaps.includes(rule)).sort()
  expect(sorted(candidateRules.map(({ rule }) => rule))).toEqual(all)
  expect(sorted(arising.map(({ rule }) => rule))).toEqual(all)
  expect(sorted(absent.map(({ rule }) => rule))).toEqual(all)
})

const deniedPath = (count: number) => historyOf(repeated(count, { ...writes('keys.env'), ...denied }))

test('the strongest one is recommended, with its latest calls', () => {
  const history = historyOf([...repeated(3, { ...writes('a.env'), ...denied }), ...repeated(120, { ...writes('b.env'), ...denied })])
  const found = recommend(history, [])
  expect([found?.title, found?.evidence_count, found?.evidence.length]).toEqual([
    'Exclude b.env from what fs.write may access, because you denied it 120 times.',
    120,
    100,
  ])
  expect(found?.evidence.at(-1)).toEqual({ run_id: 'run-2', call_id: 'call-122' })
})

test.each<[string, Partial<EarlierCandidate>, number, boolean]>([
  ['rolled back, with the same evidence', { state: 'rolled_back' }, 3, false],
  ['rolled back, with almost twice the evidence', { state: 'rolled_back' }, 5, false],
  ['rolled back, with twice the evidence', { state: 'rolled_back' }, 6, true],
  ['its shadow failed', { state: 'shadow_failed' }, 3, false],
  ['still open', { state: 'canary_ready' }, 100, false],
  ['still applied', { state: 'canary_applied' }, 100, false],
])('a candidate that was proposed before: %s', (_, fields, count, comes) => {
  const first = recommend(deniedPath(3), [])
  if (!first) throw new Error('nothing was recommended')
  const changes = [...first.changes]
  const earlier: EarlierCandidate = { id: 'earlier', state: 'shadow_pending', adopted_at: null, changes, evidence_count: 3, ...fields }
  expect(recommend(deniedPath(count), [earlier]) !== null).toBe(comes)
})

test('a title is one line, and a change that is too long is not proposed', () => {
  const long = 'x'.repeat(300)
  const remembers = ['a', 'b', 'c'].map((word) => ({ kind: 'command' as const, words: [word + long], folder: `/${long}` }))
  const found = recommend(historyOf(repeated(10, { ...runs('x', remembers), ...approved })), [])
  expect([found?.rule, found?.title.length]).toEqual(['approved_rule', 500])
  const globs = Array.from({ length: 900 }, (_, at) => `!${at}${'y'.repeat(100)}`)
  const set = { 'fs.write': { fs_scope: { roots: ['.'], globs } } }
  expect(recommend(historyOf(repeated(3, { ...writes('keys.env'), ...denied }), set), [])).toBeNull()
})

function canonical(rule: ApprovalRule): string {
  return JSON.stringify(Object.fromEntries(Object.entries(rule).toSorted(([one], [other]) => (one < other ? -1 : 1))))
}
