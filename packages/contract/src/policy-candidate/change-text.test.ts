import { expect, test } from 'vitest'
import { policyValueText } from './change-text.ts'
import { policyChangeFields } from './index.ts'

const ruleText = ({ kind }: { kind: string }) => `rule ${kind}`

test.each([
  ['enabled', false, 'off'],
  ['enabled', true, 'on'],
  ['approval_mode', 'auto', 'runs without asking'],
  ['approval_mode', 'deny', 'blocked'],
  ['rate_limit', { calls: 5, per_seconds: 60 }, '5 calls per 60 s'],
  ['time_limit', { seconds: 9 }, '9 s'],
  ['network_scope', { hosts: ['*'] }, 'every host'],
  ['network_scope', { hosts: ['a.example', 'b.example'] }, 'a.example, b.example'],
  ['network_scope', { hosts: [] }, 'no host'],
  ['fs_scope', { roots: ['.'], globs: ['**', '!keys.env'] }, 'every file, not keys.env in .'],
  ['remembered', [{ kind: 'command', words: ['npm', 'test'] }], 'rule command'],
  ['remembered', [], 'no saved approval'],
] as const)('%s %j is "%s"', (field, value, text) => {
  expect(policyValueText(field, JSON.stringify(value), ruleText)).toBe(text)
})

test.each(policyChangeFields)('a value of %s that is not understood is shown as it is', (field) => {
  for (const json of ['null', '{"other":1}', '7', 'not json']) expect(policyValueText(field, json, ruleText)).toBe(json)
})
