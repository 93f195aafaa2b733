import type { ApprovalPrompt } from '@tandem/contract/run'
import { expect, test } from 'vitest'
import { approvalChoices } from './chat-responder.ts'

const prompt: ApprovalPrompt = {
  ...{ approval_id: 'a', call_id: 'c', tool: 'fs.write', arguments: '{}', working_directory: null, fingerprint: '0'.repeat(64) },
  ...{ touches: [], protected: [], unprotected: [], remembers: [], warnings: [], choices: ['once', 'this_run', 'always', 'no'] },
}

test.each<[string, Partial<ApprovalPrompt>, readonly string[]]>([
  ['an ordinary call', {}, ['once', 'this_run', 'always', 'no', 'no_because', 'edit', 'show']],
  ['a call with a warning', { warnings: ['Careful.'] }, ['once', 'no', 'no_because', 'edit', 'show']],
  [
    'a call of a team',
    { choices: ['once', 'this_run', 'this_team', 'always', 'no'] },
    ['once', 'this_run', 'this_team', 'always', 'no', 'no_because', 'edit', 'show'],
  ],
  [
    'a merge, whose conflicts are resolved instead',
    { preview: { kind: 'merge', members: [], files: [], more: 0, open_conflicts: 0, notes: [] } },
    ['once', 'this_run', 'always', 'no', 'no_because', 'show'],
  ],
])('%s', (_name, fields, choices) => {
  expect(approvalChoices({ ...prompt, ...fields })).toEqual(choices)
})
