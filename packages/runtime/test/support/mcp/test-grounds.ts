// A test environment for each test of a file, removed after it.
import { afterEach, vi } from 'vitest'
import { type McpGround, mcpGround } from './test-mcp.ts'

export function useGrounds(): (options?: Parameters<typeof mcpGround>[0]) => McpGround {
  // Real processes on a machine that may be busy.
  vi.setConfig({ testTimeout: 120_000 })
  const grounds: McpGround[] = []
  afterEach(async () => {
    await Promise.all(grounds.splice(0).map((ground) => ground.close()))
  })
  return (options = {}) => {
    const made = mcpGround(options)
    grounds.push(made)
    return made
  }
}
