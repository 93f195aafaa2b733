// What nodes returned. The output of a call is with the call, not in the events.
import type { AskUserOutput } from '@tandem/contract/tool/output'
import type { WorkflowNodeKind } from '@tandem/contract/workflow'
import type { WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import type { Journal } from '../../journal/journal.ts'

export function outputOf(journal: Journal, kind: WorkflowNodeKind, node: WorkflowNodeRecord): unknown {
  if (node.output !== null) return JSON.parse(node.output)
  if (node.output_file_id !== null) return parsed(journal.wholes.find(node.output_file_id))
  // A person who skipped it has seen no output.
  if (node.call_id === null || node.run_id === null || node.state === 'skipped') return null
  const call = journal.settled(node.run_id, node.call_id)
  if (!call) return null
  if (kind === 'question') return answerText(call.output as AskUserOutput | null)
  return call.output_file === null ? call.output : parsed(journal.wholes.find(call.output_file))
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? null : JSON.parse(text)
}

export function answerText(answer: AskUserOutput | null): string {
  return answer === null ? '' : [...answer.chosen, answer.text ?? ''].filter((part) => part !== '').join(', ')
}
