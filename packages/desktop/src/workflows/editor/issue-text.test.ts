import { expect, test } from 'vitest'
import { issueText } from './issue-text.ts'

test.each([
  ['/nodes/0/tool', 'is missing', '`tool` is missing.'],
  ['/nodes/0', 'must be an object', 'Must be an object.'],
  ['', 'is empty; write a workflow with `name` and `nodes`', 'Is empty; write a workflow with `name` and `nodes`.'],
  ['/nodes/1/id', 'another node has this id', 'Another node has this id.'],
  ['/nodes/0/prompt', '{{inputs.a}}: there is no input a', '{{inputs.a}}: there is no input a.'],
])('%s %s', (pointer, message, text) => {
  expect(issueText({ pointer, message })).toBe(text)
})
