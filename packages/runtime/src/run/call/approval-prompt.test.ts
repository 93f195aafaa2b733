import { expect, test } from 'vitest'
import type { AskedCall } from '../../pipeline/prepared-call.ts'
import { approvalPrompt } from './approval-prompt.ts'

const ids = { approval_id: '01900000-0000-7000-8000-000000000000', call_id: 'c', tool: 'shell.exec' }
const asked = {
  ...ids,
  arguments: '{}',
  input: {},
  effects: [],
  plan: null,
  notes: [],
  warnings: [],
  layers: { in_force: [], ignored: [] },
  fingerprint: 'a'.repeat(64),
  choices: ['once', 'this_run', 'always', 'no'],
  remembers: [{ kind: 'command', words: ['npm', 'test'] }],
} as never as AskedCall

test('a call with a warning is approved once: nothing is remembered, whatever was decided', () => {
  const { choices, remembers } = approvalPrompt(ids, asked, '/work')
  expect([choices, remembers]).toEqual([['once', 'this_run', 'always', 'no'], asked.remembers])
  const warned = approvalPrompt(ids, { ...asked, warnings: ['rm removes or overwrites files.'] }, '/work')
  expect([warned.choices, warned.remembers]).toEqual([['once', 'no'], []])
})
