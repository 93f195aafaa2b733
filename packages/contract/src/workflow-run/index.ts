import type { Transitions } from '../transition/index.ts'

export * from './line.ts'
export type { WorkflowRunEvent, WrittenWorkflowRunEvent } from './schema.ts'

/** Every kind of event that a device may write. A workflow run begins with `started` and is then `running`. */
export const workflowRunEventKinds = [
  'started',
  'state',
  'node.started',
  'node.waiting',
  'node.completed',
  'node.failed',
  'node.skipped',
  'node.reset',
  'node.compensated',
] as const
export type WorkflowRunEventKind = (typeof workflowRunEventKinds)[number]

export const workflowRunStates = ['running', 'paused', 'completed', 'failed', 'canceled'] as const
export type WorkflowRunState = (typeof workflowRunStates)[number]

/** What `workflow.control` and the engine itself may do to a workflow run. */
export const workflowRunTriggers = ['pause', 'resume', 'complete', 'fail', 'cancel'] as const
export type WorkflowRunTrigger = (typeof workflowRunTriggers)[number]

export const workflowRunTransitions = {
  noun: 'workflow_run',
  states: workflowRunStates,
  triggers: workflowRunTriggers,
  initial: 'running',
  rows: [
    { from: ['running'], on: 'pause', to: 'paused' },
    { from: ['paused'], on: 'resume', to: 'running' },
    { from: ['running'], on: 'complete', to: 'completed' },
    { from: ['running', 'paused'], on: 'fail', to: 'failed' },
    { from: ['running', 'paused'], on: 'cancel', to: 'canceled' },
  ],
} satisfies Transitions<WorkflowRunState, WorkflowRunTrigger>
