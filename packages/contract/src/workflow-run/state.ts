import type { Transitions } from '../transition/index.ts'

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
export const workflowRunTriggers = ['pause', 'resume', 'complete', 'fail', 'cancel', 'restore', 'retry'] as const
export type WorkflowRunTrigger = (typeof workflowRunTriggers)[number]

export const workflowRunTransitions = {
  noun: 'workflow_run',
  verbs: {
    pause: 'be paused',
    resume: 'be resumed',
    complete: 'be completed',
    cancel: 'be canceled',
    restore: 'be restored to a recovery point',
    retry: 'be retried',
  },
  states: workflowRunStates,
  triggers: workflowRunTriggers,
  initial: 'running',
  rows: [
    { from: ['running'], on: 'pause', to: 'paused' },
    { from: ['paused'], on: 'resume', to: 'running' },
    { from: ['running'], on: 'complete', to: 'completed' },
    { from: ['running', 'paused'], on: 'fail', to: 'failed' },
    { from: ['running', 'paused'], on: 'cancel', to: 'canceled' },
    /** A checkpoint was restored: nodes that it undid can run again. */
    { from: workflowRunStates, on: 'restore', to: 'paused' },
    /** It goes on with the nodes that failed, in another run. */
    { from: ['failed'], on: 'retry', to: 'running' },
  ],
} satisfies Transitions<WorkflowRunState, WorkflowRunTrigger>

export function isTerminalWorkflowState(state: WorkflowRunState): boolean {
  return state === 'completed' || state === 'failed' || state === 'canceled'
}

export const workflowNodeStates = ['pending', 'running', 'waiting', 'completed', 'failed', 'skipped', 'compensated'] as const
export type WorkflowNodeState = (typeof workflowNodeStates)[number]

export const workflowNodeTriggers = ['start', 'wait', 'complete', 'fail', 'skip', 'reset', 'compensate'] as const
export type WorkflowNodeTrigger = (typeof workflowNodeTriggers)[number]

/** The state of a node in one round. A failed node that is tried again starts again, and one that goes on after a wait. */
export const workflowNodeTransitions = {
  noun: 'node',
  states: workflowNodeStates,
  triggers: workflowNodeTriggers,
  initial: 'pending',
  rows: [
    { from: ['pending', 'waiting', 'failed'], on: 'start', to: 'running' },
    { from: ['running'], on: 'wait', to: 'waiting' },
    { from: ['running', 'waiting'], on: 'complete', to: 'completed' },
    { from: ['running', 'waiting'], on: 'fail', to: 'failed' },
    /** A person may also skip what failed or waits. */
    { from: ['pending', 'waiting', 'failed'], on: 'skip', to: 'skipped' },
    /** A checkpoint was restored: what it did is undone. */
    { from: ['running', 'waiting', 'completed', 'failed', 'skipped', 'compensated'], on: 'reset', to: 'pending' },
    { from: ['completed'], on: 'compensate', to: 'compensated' },
  ],
} satisfies Transitions<WorkflowNodeState, WorkflowNodeTrigger>

/** What a node waits for. Only `time` and `child` end without a person. */
export const workflowWaits = ['approval', 'question', 'person', 'time', 'child'] as const
export type WorkflowWait = (typeof workflowWaits)[number]

/** What `workflow.control` can do. */
export const workflowControls = ['pause', 'resume', 'cancel', 'retry', 'skip'] as const
export type WorkflowControlAction = (typeof workflowControls)[number]

/**
 * `here`: only on this device. `same`: as in the cloud. `changed`: to be stored there. `conflict`: changed on both sides. `removed`: removed
 * there, and kept here.
 */
export const workflowCloudStates = ['here', 'same', 'changed', 'conflict', 'removed'] as const
export type WorkflowCloudState = (typeof workflowCloudStates)[number]

/** What happens to the times of a schedule at which Tandem was not running: they start it once, or not at all. */
export const missedStarts = ['run_once', 'skip'] as const
