import { builtinToolNames } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { onlyLooks } from '../../call/tool.ts'
import { fsTools } from './index.ts'

test('every tool for files that the specification names, in its order', () => {
  expect(fsTools.map(({ name }) => name)).toEqual(builtinToolNames.filter((name) => name.startsWith('fs.')))
})

test('only list, read and search merely look', () => {
  const input = { path: 'a', from: 'a', to: 'b', pattern: 'x' }
  const looking = fsTools.filter((tool) => onlyLooks(tool.effects(input, { workspace: '/ws' })))
  expect(looking.map(({ name }) => name)).toEqual(['fs.list', 'fs.read', 'fs.search'])
})

test('every field is described to the model', () => {
  for (const { name, input } of fsTools) {
    const { properties } = input as { properties?: Record<string, { description?: string }> }
    for (const [field, { description }] of Object.entries(properties ?? {}))
      expect([name, field, Boolean(description)]).toEqual([name, field, true])
  }
})
