import type { Transitions } from '../transition/index.ts'

export const runStates = ['running', 'paused', 'completed', 'failed', 'canceled'] as const
export type RunState = (typeof runStates)[number]

export const runTriggers = ['pause', 'resume_agent_run', 'complete', 'fail', 'cancel', 'restore_run_checkpoint'] as const
export type RunTrigger = (typeof runTriggers)[number]

export const terminalRunStates = ['completed', 'failed', 'canceled'] as const satisfies readonly RunState[]

export function isTerminalRunState(state: RunState): boolean {
  return (terminalRunStates as readonly RunState[]).includes(state)
}

export const runTransitions = {
  noun: 'run',
  verbs: { resume_agent_run: 'be resumed', restore_run_checkpoint: 'be restored to a recovery point' },
  states: runStates,
  triggers: runTriggers,
  initial: 'running',
  rows: [
    { from: ['running'], on: 'pause', to: 'paused' },
    { from: ['running'], on: 'complete', to: 'completed' },
    { from: ['running', 'paused'], on: 'fail', to: 'failed' },
    { from: ['running', 'paused'], on: 'cancel', to: 'canceled' },
    { from: ['paused'], on: 'resume_agent_run', to: 'running' },
    { from: runStates, on: 'restore_run_checkpoint', to: 'paused' },
  ],
} satisfies Transitions<RunState, RunTrigger>
