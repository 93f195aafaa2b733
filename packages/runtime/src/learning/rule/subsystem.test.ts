import { failureStages } from '@tandem/contract/failure'
import { affectedSubsystems } from '@tandem/contract/learning'
import { expect, test } from 'vitest'
import { subsystemOf } from './subsystem.ts'

test('every stage belongs to one part, and a newer one to the tools', () => {
  for (const stage of failureStages) expect(affectedSubsystems).toContain(subsystemOf({ stage, taxonomy: 'none', tool: null }))
  expect(subsystemOf({ stage: 'teleport', taxonomy: 'none', tool: null })).toBe('tools')
})

test('what the sandbox stopped, and what an MCP server did, belong to these', () => {
  expect(subsystemOf({ stage: 'tool_execution', taxonomy: 'sandbox_failure', tool: 'shell.exec' })).toBe('sandbox')
  expect(subsystemOf({ stage: 'tool_execution', taxonomy: 'none', tool: 'mcp.files.read' })).toBe('mcp')
})
