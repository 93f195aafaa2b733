// An event of a workflow run as one plain line, the same in the window and in the terminal.
import { unknownLine } from '../run/line.ts'
import type { WorkflowRunEvent } from './schema.ts'
import type { WorkflowRunState } from './state.ts'

export function workflowEventLine(event: WorkflowRunEvent): string {
  switch (event.kind) {
    case 'started':
      return `The workflow ${event.name} started.`
    case 'state':
      return `The workflow ${event.name} ${stateTexts[event.state]}${event.reason === undefined ? '.' : `: ${event.reason}`}`
    case 'node.started':
      return `${nodeOf(event)} started${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}.`
    case 'node.waiting':
      return `${nodeOf(event)} is waiting: ${event.reason}`
    case 'node.completed':
      return `${nodeOf(event)} is complete.`
    case 'node.failed':
      return `${nodeOf(event)} failed: ${event.failure_contract.details.message}`
    case 'node.skipped':
      return `${nodeOf(event)} was skipped: ${event.reason}`
    case 'node.reset':
      return `${nodeOf(event)} was reset and will run again.`
    case 'node.compensated':
      return `The effects of ${nodeOf(event).replace('Node', 'node')} were undone.`
    case 'unknown':
      return unknownLine('an event', event.unknown_kind)
  }
}

const stateTexts: Readonly<Record<WorkflowRunState, string>> = {
  ...{ running: 'is running', paused: 'is paused', completed: 'is complete', failed: 'has failed', canceled: 'was canceled' },
}

/** People count rounds from 1. */
function nodeOf({ node_id, iteration = [] }: { readonly node_id: string; readonly iteration?: readonly number[] }): string {
  return `Node ${node_id}${iteration.length === 0 ? '' : ` (round ${iteration.map((round) => round + 1).join('.')})`}`
}
