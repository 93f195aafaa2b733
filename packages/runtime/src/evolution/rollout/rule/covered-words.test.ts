import type { ApprovalRule } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { coveredWords } from './covered-words.ts'
import type { EvidenceRun } from './evidence.ts'
import { safeValues } from './safe-values.ts'

const npm: ApprovalRule = { kind: 'command', words: ['npm', 'publish'] }
const folder: ApprovalRule = { kind: 'path', path: '/srv/space/release/notes' }
const host: ApprovalRule = { kind: 'host', host: 'api.example', does: 'fetch' }

test.each<[string, Readonly<Record<string, unknown>>, ApprovalRule, readonly string[] | null]>([
  ['a command', { command: 'npm publish' }, npm, ['npm', 'publish']],
  ['only the words of the rule', { command: 'npm publish --registry https://evil.example' }, npm, ['npm', 'publish']],
  ['one of several commands', { command: 'make && npm publish' }, npm, ['npm', 'publish']],
  ['another command', { command: 'npm test' }, npm, null],
  ['a file below a folder', { path: 'release/notes/evil.md', content: '' }, folder, ['release/notes', 'release', 'notes']],
  ['a full path', { path: '/srv/space/release/notes/a.md' }, folder, ['release/notes', 'release', 'notes']],
  ['another folder', { path: 'release/other.md' }, folder, null],
  ['the whole workspace', { path: 'a.md' }, { kind: 'path', path: '/srv/space' }, []],
  ['a host', { url: 'https://api.example/a' }, host, ['api.example']],
  ['another host', { url: 'https://evil.example/api.example' }, host, null],
  ['every call', { path: 'a.md' }, { kind: 'tool' }, []],
])('%s', (_, args, rule, expected) => expect(coveredWords(args, '/srv/space', [rule])).toEqual(expected))

type How = 'seen' | 'covered'

test.each<[string, readonly How[], readonly boolean[]]>([
  ['covered in two runs: only the words of the rule', ['covered', 'covered'], [true, true, false, false]],
  ['covered in one run', ['covered'], [false, false, false, false]],
  ['seen in one run, covered in another', ['seen', 'covered'], [true, true, true, true]],
  ['seen in one run only', ['seen'], [false, false, false, false]],
])('%s', (_, runs, expected) => {
  const safe = safeValues(runsOf(runs))
  expect(['npm', 'publish', '--tag', 'next'].map(safe.has)).toEqual(expected)
})

function runsOf(runs: readonly How[]): readonly EvidenceRun[] {
  const call = { tool: 'shell.exec', arguments: { command: 'npm publish --tag next' }, shapes: [] }
  return runs.map((how, at) => ({
    ...{ run_id: `run ${at}`, request: [], said: [] },
    calls: [{ ...call, approved: how === 'seen', covered: how === 'covered' ? ['npm', 'publish'] : null }],
  }))
}
