import { expect, test } from 'vitest'
import { type TestCall, testContract, testRunFacts } from '../../../test/support/learning/test-run-facts.ts'
import { failuresIn } from './failures.ts'
import { consequenceRules, rootCauseOf } from './root-cause.ts'
import { noTrail } from './trail.ts'

const failed = (command: string, output: string, exit_code = 1): TestCall => ({ command, exit_code, output })
const wrongFolder = failed('cat src/a.json', 'cat: src/a.json: No such file or directory')
const missingModule = failed('node build.js', "Error: Cannot find module 'x'")
const refused = failed('curl http://localhost:3000/', 'curl: (7) Failed to connect to localhost port 3000')
const noOutput = failed('tar czf a.tgz dist', 'tar: dist: Cannot stat: No such file or directory', 2)
const conflict = failed('git merge topic', 'CONFLICT (content): Merge conflict in a.py')

const denied: TestCall = {
  tool: 'fs.write',
  arguments: { path: 'a' },
  failure_contract: testContract('denied_by_user', { stage: 'approval' }),
  outcome: 'denied',
}

const rootOf = (calls: readonly TestCall[]) => rootCauseOf(failuresIn(testRunFacts('run', calls)))?.call_id ?? null

/** For each rule: a history in which it points back to the first call, which would not be found otherwise. */
const histories: Readonly<Record<string, readonly TestCall[]>> = {
  repeated_condition: [
    missingModule,
    failed('npm test', "Error: Cannot find module 'x'"),
    failed('npm start', 'Error: listen EADDRINUSE: address already in use'),
  ],
  repeated_failure: [failed('./generate 7', 'strange thing 7'), failed('./generate 8', 'strange thing 8'), missingModule],
  same_thing: [
    failed('./generate a', 'strange thing in rates.json'),
    failed('./publish b', 'another strange thing with rates.json'),
    missingModule,
  ],
  tried_otherwise: [failed('./generate a', 'strange thing'), missingModule, failed('npm test', "Error: Cannot find module 'x'")],
  not_installed: [failed('npm ci', 'npm error connect ECONNREFUSED 127.0.0.1:4873'), missingModule],
  not_started: [failed('node server.js', 'Error: something strange'), refused],
  other_server: [
    failed('node server.js', 'Error: listen EADDRINUSE: address already in use :::3000'),
    failed('curl -f http://localhost:3000/', 'curl: (22) The requested URL returned error: 404', 22),
  ],
  not_produced: [failed('node build.js', 'Error: something strange'), noOutput],
  unresolved_merge: [conflict, failed('python -m unittest', 'SyntaxError: invalid syntax')],
  incomplete_download: [
    failed('curl -O http://h/a.tgz', 'curl: (7) Failed to connect to h'),
    failed('tar xzf a.tgz', 'tar: Unexpected EOF in archive', 2),
  ],
  repeated_symptom: [failed('npm ci', 'npm error connect ECONNREFUSED 127.0.0.1:4873'), refused],
}

test.each(consequenceRules.filter(({ name }) => name !== 'end_of_run'))('$name: $reason', ({ name, applies }) => {
  const calls = histories[name] ?? []
  const [first, second] = failuresIn(testRunFacts('run', calls))
  expect(first && second && applies(second, first)).toBe(true)
  expect(
    first &&
      second &&
      applies(first, { ...second, condition: 'other', program: 'other', words: [], tokens: ['other'], tool: 'fs.read', trail: noTrail }),
  ).toBe(false)
})

test.each([
  ['missing module, no build, no server', [missingModule, noOutput, refused], 'call-0'],
  ['a lookup in the wrong folder before it', [wrongFolder, missingModule, noOutput], 'call-1'],
  [
    'a search that finds nothing before it',
    [failed('grep x a', ''), conflict, failed('git commit', 'error: you have unmerged files')],
    'call-1',
  ],
  ['a repaired failure before it', [failed('curl -O http://h/a', 'curl: (7) no'), { command: 'curl -O http://h/a' }, conflict], 'call-2'],
  ['a refused call before it', [denied, conflict], 'call-1'],
  ['only a refused call', [denied], null],
  ['only a lookup in the wrong folder', [wrongFolder], null],
  [
    'a cause that was repaired for another command',
    [missingModule, failed('npm test', "Error: Cannot find module 'x'"), noOutput, { command: 'npm test' }],
    null,
  ],
  [
    'the same condition after it was repaired',
    [missingModule, { command: 'node build.js' }, failed('npm test', "Error: Cannot find module 'y'")],
    'call-2',
  ],
  ['only a mistake in a command', [failed('sort --frist a', "sort: unrecognized option '--frist'", 2)], null],
  ['a tag that does not exist', [failed('git show v9:a', "fatal: invalid object name 'v9'.", 128), noOutput, conflict], 'call-2'],
  [
    'a refused connection after a command that starts no server',
    [failed('git log --strange', 'fatal: strange', 128), refused, failed('node fetch.js', 'connect ECONNREFUSED 127.0.0.1:3000')],
    'call-1',
  ],
  ['nothing', [{ command: 'ls' }], null],
  ['something unknown after which nothing failed', [failed('./generate a', 'strange thing'), { command: 'ls' }], null],
  ['something unknown with which the run ended', [{ command: 'ls' }, failed('./generate a', 'strange thing')], 'call-1'],
  [
    'a question that was asked in another way',
    [failed('git show v9:a.md', 'fatal: strange', 128), { command: 'git show HEAD:a.md' }, missingModule, noOutput],
    'call-2',
  ],
  [
    'a cause after which something else was done, and the run completed',
    [missingModule, failed('npm test', "Error: Cannot find module 'x'"), { command: 'cp -r ../x node_modules' }, { command: './start' }],
    null,
  ],
  [
    'a cause after which only another failure was made up for',
    [missingModule, noOutput, failed('curl http://h/a', 'curl: (52) Empty reply', 52), { command: 'curl http://h/a' }],
    'call-0',
  ],
  [
    'an unknown cause that later failures explain',
    [failed('./fetch a', 'No plugin found at r.test:4873'), failed('npm ci', 'npm error connect ECONNREFUSED r.test:4873'), missingModule],
    'call-0',
  ],
  ['only results and repaired failures', [failed('diff a b', '1c1'), failed('npm test', 'error: x'), { command: 'npm test' }], null],
] as const)('%s', (_, calls, root) => {
  expect(rootOf(calls)).toBe(root)
})

test('a run that failed has a cause even if something else was done after it', () => {
  const calls = [missingModule, { command: 'cp -r ../x node_modules' }]
  const failures = (trigger: 'completed' | 'failed') => failuresIn(testRunFacts('run', calls, { trigger }))
  expect(rootCauseOf(failures('failed'))?.call_id).toBe('call-0')
  expect(rootCauseOf(failures('completed'))).toBe(null)
})

test('the failure of the run is the cause only if there is no other', () => {
  const failure_contract = testContract('too_many_turns', { stage: 'model_call' })
  const facts = testRunFacts('run', [], { failure_contract })
  expect(rootCauseOf(failuresIn(facts))?.kind).toBe('run')
  expect(rootCauseOf(failuresIn({ ...testRunFacts('run', [wrongFolder]), failure_contract }))?.call_id).toBe('call-0')
  expect(rootCauseOf(failuresIn({ ...testRunFacts('run', [missingModule]), failure_contract }))?.call_id).toBe('call-0')
})
