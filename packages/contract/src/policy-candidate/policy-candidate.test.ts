import { expect, test } from 'vitest'
import { ToolPolicy } from '../tool/schema.ts'
import { toolPolicyFields } from './index.ts'

test('a candidate can change every field of a tool policy and nothing else', () => {
  expect([...toolPolicyFields]).toEqual(Object.keys(ToolPolicy.properties))
})
