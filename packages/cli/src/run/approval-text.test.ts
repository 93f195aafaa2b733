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
  [{ kind: 'command', words: ['npm', 'test'], folder: '/srv/a' }, 'commands that begin with npm test, in /srv/a alone'],
  [{ kind: 'path', path: '/srv/a' }, '/srv/a and what is below it'],
  [{ kind: 'host', host: 'a.test', does: 'fetch' }, 'asking a.test, not sending to it'],
  [{ kind: 'host', host: 'a.test\u202e', does: 'send' }, 'sending to a.test\\u{202e}'],
])('«always» says how far it goes: %j', (rule, words) => {
  const [, ...lines] = approvalText({ ...prompt, remembers: [rule] }).split('\n')
  expect(lines.join('\n')).toContain(`«this run» and «always» cover ${words}`)
})
