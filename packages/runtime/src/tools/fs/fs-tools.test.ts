import { builtinToolNames } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { isReadOnly } from '../../call/tool.ts'
import { fsTools } from './index.ts'

test('every file tool of the specification, in its order', () => {
  expect(fsTools.map(({ name }) => name)).toEqual(builtinToolNames.filter((name) => name.startsWith('fs.')))
})

test('only list, read and search have no writing effect', async () => {
  const input = { path: 'a', from: 'a', to: 'b', pattern: 'x' }
  const effects = await Promise.all(fsTools.map((tool) => tool.effects(input, { workspace: '/ws' })))
  const looking = fsTools.filter((_tool, at) => isReadOnly(effects[at] ?? []))
  expect(looking.map(({ name }) => name)).toEqual(['fs.list', 'fs.read', 'fs.search'])
})

test('every field has a description', () => {
  for (const { name, input } of fsTools) {
    const { properties } = input as { properties?: Record<string, { description?: string }> }
    for (const [field, { description }] of Object.entries(properties ?? {}))
      expect([name, field, Boolean(description)]).toEqual([name, field, true])
  }
})
