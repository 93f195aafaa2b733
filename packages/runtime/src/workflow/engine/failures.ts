// The failures of nodes and of workflow runs.
import type { FailureContract } from '@tandem/contract/failure'
import type { WorkflowNode } from '@tandem/contract/workflow'
import { failureContract } from '../../call/outcome.ts'
import { endedByUser } from '../rule/next-steps.ts'

function failure(node_id: string, reason_code: string, message: string, remedy: string): FailureContract {
  return failureContract('workflow', { source: node_id, reason_code, message, subject: node_id, remedy })
}

export function canceledNode(node_id: string): FailureContract {
  return failure(node_id, 'canceled', `${node_id} was stopped with the workflow`, 'Start the workflow again, or retry it.')
}

export function timedOut(node_id: string, seconds: number): FailureContract {
  return failure(
    node_id,
    'node_timed_out',
    `${node_id} took longer than ${seconds} s`,
    'Set a longer `timeout_seconds` in the definition, or retry the workflow.',
  )
}

export function loopFailed(node_id: string, reason: string): FailureContract {
  return failure(node_id, 'loop_failed', `${node_id}: ${reason}`, 'Look at the node that failed, then retry the workflow.')
}

export function notAList(node_id: string): FailureContract {
  return failure(node_id, 'items_not_a_list', `the items of ${node_id} are not a list`, 'Let `items` of the loop refer to a list.')
}

export function tooManyItems(node_id: string, count: number, most: number): FailureContract {
  return failure(node_id, 'too_many_items', `${node_id} has ${count} items, and at most ${most} are possible`, 'Split the list.')
}

export function tooManyNodes(name: string, most: number): FailureContract {
  const message = `its loops have started more than ${most} nodes, which is the limit for one workflow run`
  return failure(name.slice(0, 200), 'too_many_nodes', message, 'Split the workflow, or give its loops fewer rounds.')
}

export function wrongOutput(name: string, problem: string): FailureContract {
  return failure(
    name,
    'output_invalid',
    `the output ${name} ${problem}`,
    'Correct the output in the definition, or the node that it refers to.',
  )
}

export function expressionFailed(node: Pick<WorkflowNode, 'id'>, reason_code: string, message: string, remedy: string): FailureContract {
  return failure(node.id, reason_code, `${node.id}: ${message}`, remedy)
}

/** A person decided that a node that was interrupted has failed. */
export function failedByUser(node_id: string): FailureContract {
  return failure(
    node_id,
    endedByUser,
    `${node_id} was interrupted, and you let it fail`,
    'Retry the workflow from this node, or change its definition.',
  )
}

/** The workflow run fails because of a node. */
export function failedBy(node_id: string, cause: FailureContract | null): FailureContract {
  const why = cause === null ? '' : `: ${cause.details.message}`
  const remedy = 'Retry the workflow from this node, or change its definition.'
  return failure(node_id, 'node_failed', `${node_id} failed${why}`, cause?.details.remedy ?? remedy)
}

/** It fails for a reason of its own. */
export function workflowFailed(name: string, reason: string | null): FailureContract {
  return failure(name.slice(0, 200), 'workflow_failed', reason ?? `${name} failed`, 'Change its definition, or retry the workflow.')
}
