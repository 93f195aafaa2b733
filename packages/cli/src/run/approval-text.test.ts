import type { ApprovalPrompt } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { approvalText } from './approval-text.ts'

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
    'commands that begin with git log, as long as the files it takes instructions from stay the same',
  ],
  [{ kind: 'path', path: '/srv/a' }, '/srv/a and everything below it'],
  [{ kind: 'host', host: 'a.test', does: 'fetch' }, 'requests to a.test, not data sent to it'],
  [{ kind: 'host', host: 'a.test\u202e', does: 'send' }, 'data sent to a.test\\u{202e}'],
])('"always" says how far it goes: %j', (rule, words) => {
  const [, ...lines] = approvalText({ ...prompt, remembers: [rule] }).split('\n')
  expect(lines.join('\n')).toContain(`"this run" and "always" cover ${words}`)
})

test('notes and warnings are shown, with every character', () => {
  const text = approvalText({
    ...prompt,
    tool: 'mcp.a.re\u200bad',
    arguments: '{"command":"ls\ufe0f"}',
    notes: ['npm runs code.'],
    warnings: ['Writes a\u2800b.'],
  })
  expect(text).toContain('May mcp.a.re\\u{200b}ad run?')
  expect(text).toContain('note: npm runs code.')
  expect(text).toContain('! Writes a\\u{2800}b.')
  expect(text).toContain('ls\\u{fe0f}')
})

test('the layers of the policy are one line, and only when they changed something', () => {
  const configured = { name: 'configured policy', kind: 'configured' as const, changes: [] }
  const skills = { name: 'skills', kind: 'intersection' as const, changes: ['approval_mode' as const] }
  const canary = { name: 'canary \u202e', kind: 'overlay' as const, changes: ['time_limit' as const] }
  expect(approvalText({ ...prompt, policy_layers: { in_force: [configured], ignored: [] } })).toBe(approvalText(prompt))
  const text = approvalText({ ...prompt, policy_layers: { in_force: [configured, skills], ignored: [canary] } })
  expect(text).toContain('\npolicy changed by skills (approval_mode)\n')
  expect(text).toContain('\nignored, because no one approved that it allows more: canary \\u{202e} (time_limit)')
})
