// The colors of states, wherever they are shown.
import { type McpServerState, needsSignIn } from '@tandem/contract/mcp'
import type { RunState } from '@tandem/contract/run'
import { mcpWords } from '../strings/mcp.ts'
import type { Tone } from './badge.tsx'

export const runTones: Record<RunState, Tone> = { running: 'cloud', paused: 'warn', completed: 'good', failed: 'bad', canceled: 'plain' }

const mcpTones: Record<McpServerState, Tone> = {
  created: 'plain',
  testing: 'cloud',
  connected: 'good',
  degraded: 'warn',
  disconnected: 'plain',
  failed: 'bad',
}

/** What a badge shows for a server: a state, or what the user must do first. */
export function mcpBadge(status: Parameters<typeof needsSignIn>[0]): { readonly tone: Tone; readonly text: string } {
  if (needsSignIn(status)) return { tone: 'warn', text: mcpWords.needsSignIn }
  return { tone: mcpTones[status.state], text: mcpWords.states[status.state] }
}
