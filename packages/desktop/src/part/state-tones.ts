// The colors of states, wherever they are shown.
import type { McpServerState } from '@tandem/contract/mcp'
import type { RunState } from '@tandem/contract/run'
import type { Tone } from './badge.tsx'

export const runTones: Record<RunState, Tone> = { running: 'cloud', paused: 'warn', completed: 'good', failed: 'bad', canceled: 'plain' }

export const mcpTones: Record<McpServerState, Tone> = {
  created: 'plain',
  testing: 'cloud',
  connected: 'good',
  degraded: 'warn',
  disconnected: 'plain',
  failed: 'bad',
}
