import { expect, test } from 'vitest'
import { checkedConfig, withValue } from './config-file.ts'

test.each([
  ['{}', { values: {} }],
  ['{"agent":"Scribe","sandbox":"strict"}', { values: { agent: 'Scribe', sandbox: 'strict' } }],
  ['{', { problem: 'c.json is not valid JSON. Correct it, or delete it.' }],
  ['[]', { problem: 'c.json must contain a JSON object.' }],
  ['{"sandbox":"off"}', { problem: 'sandbox in c.json must be one of trusted, workspace, strict.' }],
  ['{"model":5}', { problem: 'model in c.json must be a text.' }],
  ['{"colour":"red"}', { problem: 'c.json has an unknown key "colour". The keys are agent, model, sandbox.' }],
  ['{"__proto__":"x"}', { problem: 'c.json has an unknown key "__proto__". The keys are agent, model, sandbox.' }],
])('%s', (content, result) => {
  expect(checkedConfig(content, 'c.json')).toEqual(result)
})

test('a value is set, replaced and removed', () => {
  expect(withValue({ model: 'a' }, 'agent', 'b')).toEqual({ model: 'a', agent: 'b' })
  expect(withValue({ model: 'a' }, 'model', 'b')).toEqual({ model: 'b' })
  expect(withValue({ model: 'a' }, 'model', null)).toEqual({})
})
