import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testContract, testRunFacts } from '../../../test/support/learning/test-run-facts.ts'
import { failuresIn } from './failures.ts'
import { noTrail } from './trail.ts'

test('every failure of a run, in order', () => {
  const policy = testContract('path_out_of_scope', { taxonomy: 'policy_failure', stage: 'policy_enforcement', source: 'fs.write' })
  const facts = testRunFacts(
    'run',
    [
      { command: 'cd app && npm test', exit_code: 1, output: "Error: Cannot find module 'x'\n    at a" },
      { command: 'ls' },
      { tool: 'fs.write', arguments: { path: '/etc/x' }, outcome: 'denied', failure_contract: policy },
      { tool: 'fs.read', arguments: { path: 'a' }, outcome: 'interrupted' },
    ],
    {
      errors: [
        { step_id: 'error', seq: 2, at: 0, failure_contract: testContract('rate_limited', { stage: 'model_call', source: 'model' }) },
      ],
      failure_contract: testContract('too_many_turns', { stage: 'model_call', source: 'run' }),
    },
  )
  const none = {
    call_id: null,
    tool: null,
    exit_code: null,
    timed_out: false,
    program: null,
    words: [],
    condition: null,
    expected: false,
    repair: null,
    help: null,
    trail: noTrail,
  }
  expect(failuresIn(facts)).toEqual([
    {
      ...{
        kind: 'call',
        step_id: 'run-0',
        seq: 1,
        call_id: 'call-0',
        tool: 'shell.exec',
        failure_contract: null,
        exit_code: 1,
        timed_out: false,
      },
      ...{
        program: 'npm',
        words: ['test'],
        lines: ["Error: Cannot find module 'x'"],
        condition: 'missing_dependency',
        expected: false,
        repair: null,
        help: null,
        trail: { ...noTrail, specifics: new Set(['test']), next_success: 2, completed: true },
      },
      tokens: ['Error:', 'Cannot', 'find', 'module', '<*>'],
    },
    {
      ...none,
      kind: 'error',
      step_id: 'error',
      seq: 2,
      failure_contract: facts.errors[0]?.failure_contract,
      lines: ['It failed: rate_limited.'],
      tokens: ['It', 'failed:', 'rate_limited.'],
    },
    {
      ...none,
      kind: 'refused',
      step_id: 'run-2',
      seq: 3,
      call_id: 'call-2',
      tool: 'fs.write',
      failure_contract: policy,
      trail: { ...noTrail, specifics: new Set(['etc', 'path_out_of_scope']), completed: true },
      lines: ['It failed: path_out_of_scope.'],
      tokens: ['It', 'failed:', 'path_out_of_scope.'],
    },
    {
      ...none,
      kind: 'run',
      step_id: 'run-end',
      seq: Number.MAX_SAFE_INTEGER,
      failure_contract: facts.failure_contract,
      lines: ['It failed: too_many_turns.'],
      tokens: ['It', 'failed:', 'too_many_turns.'],
    },
  ])
})

const programOf = (command: string, output = '', tool?: string) =>
  failuresIn(testRunFacts('run', [{ command, exit_code: 2, output, ...(tool ? { tool } : {}) }]))[0]?.program

test.each([
  ['npm run build', '\n> app@1.0.0 build\n> tsc -p .\n\nsrc/a.ts(1,1): error TS2304: x', 'tsc'],
  ['npm run build', '\n> build\n> node scripts/build.js\n', 'node'],
  ['npm test', '', 'npm'],
  ['npm run build && tar czf a.tgz dist', 'tar: dist: Cannot stat: No such file', 'tar'],
  ['tar czf a.tgz dist && curl -T a.tgz http://localhost', 'tar: dist: Cannot stat: No such file', 'tar'],
  ['git pull && make', '', 'make'],
  ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'bash: no', null],
])('the program of %j with %j', (command, output, program) => {
  expect(programOf(command, output)).toBe(program)
})

test('the program of a script is its language', () => {
  const calls = [{ tool: 'script.run', arguments: { language: 'python', path: 'a.py' }, outcome: 'failed' as const }]
  expect(failuresIn(testRunFacts('run', calls)).map(({ program, words }) => ({ program, words }))).toEqual([
    { program: 'python', words: ['a.py'] },
  ])
})

const failing = (command: string) => ({ command, exit_code: 1, output: 'error: no' })

test.each([
  ['the same command', failing('npm test'), { command: 'npm test' }, true],
  ['the same command elsewhere', failing('npm test'), { command: 'cd a && npm test 2>&1' }, true],
  ['the same command with another option', failing('curl -O http://h/a'), { command: 'curl --retry 3 -O http://h/a' }, true],
  ['the script that runs it', failing('node a.js'), { command: 'npm run a', output: '\n> a\n> node a.js\n' }, true],
  [
    'a corrected word',
    { command: 'npm run bulid', exit_code: 1, output: 'npm error Missing script: "bulid"' },
    { command: 'npm run build' },
    true,
  ],
  [
    'a similar word that was no mistake',
    { command: 'npm run test1', exit_code: 1, output: 'AssertionError: no' },
    { command: 'npm run test2' },
    false,
  ],
  [
    'the script with changes',
    { tool: 'script.run', arguments: { language: 'node', source: 'const a = read("x"); print(a.nam)' }, outcome: 'failed' },
    { tool: 'script.run', arguments: { language: 'node', source: 'const a = read("x"); print(a.name)' } },
    true,
  ],
  [
    'another script',
    { tool: 'script.run', arguments: { language: 'node', source: 'const a = read("x"); print(a.nam)' }, outcome: 'failed' },
    { tool: 'script.run', arguments: { language: 'node', source: 'await fetch(host)' } },
    false,
  ],
  ['another command', failing('npm test'), { command: 'npm run build' }, false],
  ['the same command, which fails', failing('npm test'), failing('npm test'), false],
  [
    'the same file in another folder',
    { tool: 'fs.read', arguments: { path: 'src/a.json' }, failure_contract: testContract('not_found') },
    { tool: 'fs.read', arguments: { path: 'lib/a.json' } },
    true,
  ],
  [
    'another file',
    { tool: 'fs.read', arguments: { path: 'src/a.json' }, failure_contract: testContract('not_found') },
    { tool: 'fs.read', arguments: { path: 'src/b.json' } },
    false,
  ],
] as const)('a failure followed by %s', (_, failed, then, repaired) => {
  const [failure] = failuresIn(testRunFacts('run', [failed, { command: 'date' }, then]))
  expect(failure?.repair).toEqual(repaired ? { call_id: 'call-2', step_id: 'run-2', seq: 3 } : null)
})

test('a success before it repairs nothing', () => {
  expect(failuresIn(testRunFacts('run', [{ command: 'npm test' }, failing('npm test')]))[0]?.repair).toBe(null)
})

test.each([
  [
    'a program that a script cannot find',
    { command: 'npm run build', exit_code: 127, output: '> build\n> tsc\n\nsh: 1: tsc: not found' },
    'missing_dependency',
  ],
  ['a program that is not there', { command: 'tsc', exit_code: 127, output: 'bash: tsc: command not found' }, 'missing_command'],
  ['a command that `timeout` ended', { command: 'timeout -s KILL 5 make', exit_code: 137, output: 'Killed' }, 'timed_out'],
  ['a command that ran out of memory', { command: 'make', exit_code: 137, output: 'Killed' }, 'out_of_memory'],
])('the condition of %s', (_, call, condition) => {
  expect(failuresIn(testRunFacts('run', [call]))[0]?.condition).toBe(condition)
})

test('what a program printed is kept without secrets', () => {
  const output = 'error: login failed for https://ada:hunter2hunter2@host/ with ghp_0123456789abcdefghijABCDEFGHIJ012345'
  const [failure] = failuresIn(testRunFacts('run', [{ command: 'git push', exit_code: 1, output }]))
  expect(failure?.lines).toEqual(['error: login failed for https://ada:[secret]@host/ with [secret]'])
})

test('any arguments and outputs can be read', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 300, unit: 'grapheme' }), (command, output) => {
      const facts = testRunFacts('run', [{ command, exit_code: 1, output }])
      const broken = { ...facts, calls: facts.calls.map((call) => ({ ...call, arguments: command })) }
      for (const one of [facts, broken]) expect(failuresIn(one)).toHaveLength(1)
    }),
  )
})

test.each([
  ['make build', 'sh: 1: tsc: not found\nmake: *** [build] Error 1', 2, 'missing_dependency'],
  ['npm pack', 'sh: 1: mocha: not found', 127, 'missing_dependency'],
  ['pnpm install', 'bash: line 1: pnpm: command not found', 127, 'missing_command'],
  ['node a.js | diff expected.txt -', '1c1\n< 1\n---\n> 2', 1, 'failed_test'],
  ['diff a.txt b.txt', '1c1\n< 1\n---\n> 2', 1, null],
] as const)('%s that printed %j and ended with %i has the condition %s', (command, output, exit_code, condition) => {
  const [failure] = failuresIn(testRunFacts('run', [{ command, output, exit_code }]))
  expect(failure?.condition).toBe(condition)
  expect(failure?.expected).toBe(condition === null)
})

test('a command that `timeout` killed took too long', () => {
  const facts = testRunFacts('run', [{ command: 'timeout --signal=KILL 1 bash a.sh' }])
  const calls = facts.calls.map((call) => ({
    ...call,
    command: { exit_code: null, signal: 'SIGKILL', timed_out: false, output: 'part 1' },
  }))
  expect(failuresIn({ ...facts, calls }).map(({ condition }) => condition)).toEqual(['timed_out'])
})
