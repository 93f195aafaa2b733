// What a workflow asks people, as questions of its run.
import type { WorkflowNode } from '@tandem/contract/workflow'

export function questionArguments(question: string, choices: readonly string[] | undefined): object {
  return { question, ...(choices && choices.length > 0 ? { options: choices.map((value) => ({ value })), allows_text: false } : {}) }
}

export function approvalArguments(question: string): object {
  const options = [
    { value: 'approve', label: 'Approve' },
    { value: 'deny', label: 'Do not approve' },
  ]
  return { question, options, allows_text: false }
}

export type InterruptedChoice = 'repeat' | 'go_on' | 'fail'

/** A call of a node, or the one that takes its effect back, was interrupted. */
export function interruptedArguments(node: WorkflowNode, iteration: readonly number[], call: 'effect' | 'compensation' = 'effect'): object {
  const step = iteration.length === 0 ? node.id : `${node.id}, round ${iteration.map((round) => round + 1).join('.')},`
  const tool = node.kind === 'tool' && call === 'effect' ? ` (${node.tool})` : ''
  const what = call === 'effect' ? `The step ${step}${tool}` : `Undoing the step ${step}`
  const options: readonly { readonly value: InterruptedChoice; readonly label: string; readonly hint: string }[] = [
    { value: 'repeat', label: 'Repeat it', hint: 'It did not take effect, or to do it again does no harm' },
    { value: 'go_on', label: 'Continue', hint: 'It has taken effect' },
    {
      value: 'fail',
      label: 'Let it fail',
      hint: call === 'effect' ? 'The workflow continues as after a failure of this step' : 'Its effect stays as it is',
    },
  ]
  const question = `${what} was interrupted. It may or may not have taken effect. Look at the current state: how should the workflow continue?`
  return { question, options, allows_text: false }
}
