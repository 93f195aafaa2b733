// The colors of states, wherever they are shown.
import { type McpServerState, needsSignIn } from '@tandem/contract/mcp'
import type { PauseReason, RunState } from '@tandem/contract/run'
import { mcpWords } from '../strings/mcp.ts'
import { words } from '../strings/window.ts'
import type { Tone } from './badge.tsx'

interface Shown {
  readonly tone: Tone
  readonly text: string
}

export const runTones: Record<RunState, Tone> = { running: 'cloud', paused: 'warn', completed: 'good', failed: 'bad', canceled: 'plain' }

const waits: Readonly<Partial<Record<PauseReason, keyof typeof words.cards.waits>>> = {
  approval: 'person',
  question: 'person',
  child: 'event',
  workflow: 'event',
  time: 'event',
}

/** What a badge shows for a run. One that waits is not shown as paused: a user need not, and cannot, resume it. */
export function runBadge(run: { readonly state: RunState; readonly pause_reason: PauseReason | null }): Shown {
  const wait = run.state === 'paused' && run.pause_reason !== null ? waits[run.pause_reason] : undefined
  if (wait === undefined) return { tone: runTones[run.state], text: words.cards.run[run.state] }
  return { tone: wait === 'person' ? 'warn' : 'cloud', text: words.cards.waits[wait] }
}

const mcpTones: Record<McpServerState, Tone> = {
  created: 'plain',
  testing: 'cloud',
  connected: 'good',
  degraded: 'warn',
  disconnected: 'plain',
  failed: 'bad',
}

/** What a badge shows for a server: a state, or what the user must do first. */
export function mcpBadge(status: Parameters<typeof needsSignIn>[0]): Shown {
  if (needsSignIn(status)) return { tone: 'warn', text: mcpWords.needsSignIn }
  return { tone: mcpTones[status.state], text: mcpWords.states[status.state] }
}
