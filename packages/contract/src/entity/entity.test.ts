import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { Key } from '../shape.ts'
import { skillBindingEntityId, toolPolicyEntityId } from './index.ts'

const isKey = Compile(Key)

test('two devices give the same policy the same id', () => {
  expect(toolPolicyEntityId('agent-7', 'fs.read')).toBe('agent-7/fs.read')
  expect(skillBindingEntityId('agent-7', 'pdf-forms')).toBe('agent-7/pdf-forms')
})

test('every tool name has a key, and no two have the same', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '@', '/', '.', ' ', 'é', '4', '0', '\u{1F600}'), minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(name, name, (left, right) => {
      expect(isKey.Check(toolPolicyEntityId('agent', left))).toBe(true)
      expect(toolPolicyEntityId('agent', left) === toolPolicyEntityId('agent', right)).toBe(left === right)
    }),
  )
})

test('names longer than a key are distinguished by a fingerprint', () => {
  const [one, other] = ['a', 'b'].map((end) => toolPolicyEntityId('0199-agent', `mcp.server.${'x'.repeat(280)}${end}`))
  expect([one?.length, other?.length, one === other]).toEqual([200, 200, false])
})
