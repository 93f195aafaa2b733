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

export function interruptedArguments(node: WorkflowNode): object {
  const what = node.kind === 'tool' ? `${node.id} (${node.tool})` : node.id
  const options: readonly { readonly value: InterruptedChoice; readonly label: string; readonly hint: string }[] = [
    { value: 'repeat', label: 'Repeat it', hint: 'It did not take effect, or to do it again does no harm' },
    { value: 'go_on', label: 'Go on', hint: 'It has taken effect' },
    { value: 'fail', label: 'Let it fail', hint: 'The workflow goes on as after a failure of this step' },
  ]
  const question = `The step ${what} was interrupted. It may or may not have taken effect. Look at the current state: how should the workflow go on?`
  return { question, options, allows_text: false }
}
