import type { ApprovalPrompt, CallPreview } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'
import { expect, onTestFinished, test, vi } from 'vitest'
import { approvalText, fullApprovalText } from './approval-text.ts'

const prompt: ApprovalPrompt = {
  approval_id: '01900000-0000-7000-8000-000000000000',
  call_id: 'c',
  tool: 'shell.exec',
  arguments: '{}',
  working_directory: null,
  fingerprint: 'a'.repeat(64),
  touches: [],
  protected: [],
  unprotected: [],
  remembers: [],
  warnings: [],
  choices: ['once', 'no'],
}

test.each<[ApprovalRule, string]>([
  [{ kind: 'tool' }, 'every call of the tool'],
  [{ kind: 'command', words: ['npm', 'test'] }, 'commands that begin with npm test'],
  [{ kind: 'command', words: ['npm', 'test'], folder: '/srv/a' }, 'commands that begin with npm test, only in /srv/a'],
  [
    { kind: 'command', words: ['git', 'log'], instructions: 'a'.repeat(64) },
    'commands that begin with git log, as long as the files that control them (such as package.json) do not change',
  ],
  [{ kind: 'path', path: '/srv/a' }, '/srv/a (if it is a folder, with everything in it)'],
  [{ kind: 'host', host: 'a.test', does: 'fetch' }, 'requests that only read from a.test; sending data still needs approval'],
  [{ kind: 'host', host: 'a.test\u202e', does: 'send' }, 'data sent to a.test\\u{202e}'],
])('"always" shows what it covers: %j', (rule, words) => {
  const text = approvalText({ ...prompt, remembers: [rule], choices: ['once', 'this_run', 'always', 'no'] })
  expect(text).toContain(
    `\n"this run" covers, until this run ends: ${words}\n"always" covers, in this and later runs of this agent: ${words}`,
  )
  expect(approvalText({ ...prompt, remembers: [rule], choices: ['once', 'no'] })).not.toContain('covers')
})

test('arguments are shown if there are any', () => {
  expect(approvalText({ ...prompt, tool: 'todo.list' })).not.toContain('{')
  expect(approvalText({ ...prompt, tool: 'todo.list', arguments: '{"a":1}' })).toContain('{\n  "a": 1\n}')
})

test('notes and warnings are shown, with every character', () => {
  const text = approvalText({
    ...prompt,
    tool: 'mcp.a.re\u200bad',
    arguments: '{"command":"ls\ufe0f"}',
    notes: ['npm runs code.'],
    warnings: ['Writes a\u2800b.'],
  })
  expect(text).toContain('Review carefully\nUse “re⟨U+200B⟩ad” of the MCP server a?\n! Writes a\\u{2800}b.')
  expect(text).toContain('note: npm runs code.')
  expect(text).toContain('ls\\u{fe0f}')
})

test('the layers of the policy are one line, and only when they changed something', () => {
  const configured = { name: 'configured policy', kind: 'configured' as const, changes: [] }
  const skills = { name: 'skills', kind: 'intersection' as const, changes: ['approval_mode' as const] }
  const canary = { name: 'canary \u202e', kind: 'overlay' as const, changes: ['time_limit' as const] }
  expect(approvalText({ ...prompt, policy_layers: { in_force: [configured], ignored: [] } })).toBe(approvalText(prompt))
  const text = approvalText({ ...prompt, policy_layers: { in_force: [configured, skills], ignored: [canary] } })
  expect(text).toContain('\npolicy changed by skills (approval_mode)\n')
  expect(text).toContain('\nignored, because it allows more and has not been approved: canary \\u{202e} (time_limit)')
})

const change = {
  kind: 'change',
  path: 'a.js',
  creates: false,
  diff: '--- a.js\n+++ a.js\n@@ -1,2 +1,2 @@\n one\n-two\u001b[2J\n+2\n',
  diff_truncated: false,
  lines_added: 1,
  lines_removed: 1,
  notes: ['Changes the line endings from CRLF to LF.'],
} as const

test.each<[string, CallPreview, string]>([
  [
    'fs.edit',
    { ...change, notes: [...change.notes] },
    'Edit a.js?\na.js +1 -1\nChanges the line endings from CRLF to LF.\n@@ -1,2 +1,2 @@\n one\n-two\\u{1b}[2J\n+2',
  ],
  [
    'fs.write',
    { ...change, diff: '', diff_truncated: true, lines_added: null, lines_removed: null, notes: [] },
    'Overwrite a.js?\na.js\nThe change is too large to compare, or the file is not text.',
  ],
  [
    'fs.delete',
    {
      kind: 'delete',
      path: 'd',
      folders: 1,
      files: 14,
      bytes: 3000,
      paths: Array.from({ length: 14 }, (_, n) => `d/${n}`),
      more: 0,
      at_least: false,
    },
    'Delete the folder d/ and 14 files in it?\n14 files in 1 folder, 3,000 bytes\n  d/0\n  d/1\n  d/2\n  d/3\n  d/4\n  d/5\n  d/6\n  d/7\n  d/8\n  d/9\n  and 4 more',
  ],
  [
    'fs.move',
    { kind: 'move', from: 'a', to: 'b', replaces: true },
    'Rename a to b and replace what is there?\nfrom a\nto   b\nThe existing file or folder will be replaced.',
  ],
  [
    'shell.exec',
    {
      kind: 'command',
      command: 'ls',
      command_truncated: false,
      language: null,
      source: true,
      cwd: 'sub',
      background: true,
      parts: [{ text: 'ls', explains: 'Lists files.' }],
    },
    'Run ls in the background?\n  ls\nin sub; continues to run in the background\n  ls  Lists files.',
  ],
  [
    'shell.exec',
    {
      ...{ kind: 'command', command: 'make', command_truncated: false, language: null, source: true },
      ...{ cwd: 'a new folder on build', background: false, parts: [] },
      remote: { name: 'build', sends: ['a.c'], fetches: ['a.out', 'log'] },
    },
    'Run make on build?\n  make\nin a new folder on build\nbefore it runs, sent to build: a.c\nafterwards, fetched from build: a.out, log',
  ],
  [
    'http.request',
    { kind: 'request', method: 'POST', url: 'https://a.test/', headers: [{ name: 'x', value: 'y' }], body: '{\n}', body_truncated: true },
    'Send a POST request to a.test?\nPOST https://a.test/\n  x: y\n  {\n  }\nNot everything is shown here. Type s to see all arguments.',
  ],
  [
    'browser.type',
    { kind: 'page', action: 'type_and_submit', target: 'e1', value: 'hi', value_truncated: false, address: 'https://a.test/' },
    'Type into e1 on a.test and press Enter?\nelement: e1\npage: https://a.test/\nvalue, followed by Enter:\n  hi',
  ],
  ['process.kill', { kind: 'process', pid: 7, command: 'npm start' }, 'End process 7?\ncommand: npm start'],
])('%s is shown as what it does, with its arguments after s', (tool, preview, text) => {
  const asked = { ...prompt, tool, arguments: '{"secret":1}', preview }
  expect(approvalText(asked)).toBe(text)
  expect(fullApprovalText(asked)).toContain('\n{\n  "secret": 1\n}\nfingerprint: aaa')
})

test('if the preview is incomplete, the arguments are shown immediately', () => {
  const shown = (preview: CallPreview) => approvalText({ ...prompt, tool: 'mcp.files.read', arguments: '{"a":1}', preview })
  expect(shown({ kind: 'mcp', server: 'files', tool: 'read', description: 'Reads.' })).toBe(
    'Use “read” of the MCP server files?\nThe server describes this tool as:\n  Reads.\n{\n  "a": 1\n}',
  )
  expect(shown({ kind: 'fails', message: 'It is gone.' })).toContain('This call is expected to fail:\n  It is gone.\n{\n  "a": 1\n}')
})

test('a long diff is cut, and s shows all of it', () => {
  const diff = `@@ -0,0 +1,100 @@\n${Array.from({ length: 100 }, (_, n) => `+line ${n}\n`).join('')}`
  const asked = { ...prompt, tool: 'fs.write', preview: { ...change, diff, notes: [] } }
  expect(approvalText(asked)).toContain('+line 58\n… and 41 more lines. Type s to see all of it')
  expect(fullApprovalText(asked)).toContain('+line 99\n')
})

test('in color on a terminal', async () => {
  vi.stubEnv('FORCE_COLOR', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const text = approvalText({ ...prompt, tool: 'fs.edit', warnings: ['Look.'], preview: { ...change, notes: [] } })
  expect(text).toContain('\u001b[31m-two\\u{1b}[2J\u001b[39m')
  expect(text).toContain('\u001b[32m+2\u001b[39m')
  expect(text).toContain('\u001b[31mReview carefully\u001b[39m')
})
