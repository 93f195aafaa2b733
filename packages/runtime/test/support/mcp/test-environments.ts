// A test environment for each test of a file, removed after it.
import { afterEach, vi } from 'vitest'
import { createMcpTestEnvironment, type McpTestEnvironment } from './test-mcp.ts'

export function useMcpEnvironments(): (options?: Parameters<typeof createMcpTestEnvironment>[0]) => McpTestEnvironment {
  // Real processes on a machine that may be busy.
  vi.setConfig({ testTimeout: 120_000 })
  const grounds: McpTestEnvironment[] = []
  afterEach(async () => {
    await Promise.all(grounds.splice(0).map((ground) => ground.close()))
  })
  return (options = {}) => {
    const made = createMcpTestEnvironment(options)
    grounds.push(made)
    return made
  }
}
