import type { ApprovalRule } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { ruleElsewhere } from './rule-elsewhere.ts'

test.each<[ApprovalRule, ApprovalRule]>([
  [
    { kind: 'path', path: '/a' },
    { kind: 'path', path: '/b' },
  ],
  [
    { kind: 'path', path: '/a/src' },
    { kind: 'path', path: '/b/src' },
  ],
  // Only what is inside the folder.
  [
    { kind: 'path', path: '/abc' },
    { kind: 'path', path: '/abc' },
  ],
  [
    { kind: 'command', words: ['npm'], folder: '/a/x' },
    { kind: 'command', words: ['npm'], folder: '/b/x' },
  ],
  [
    { kind: 'command', words: ['npm'] },
    { kind: 'command', words: ['npm'] },
  ],
  [{ kind: 'tool' }, { kind: 'tool' }],
])('%j is %j in another folder', (rule, there) => {
  expect(ruleElsewhere(rule, '/a', '/b')).toEqual(there)
})
