// What a node waits for, and where that can be answered or seen.
import type { WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'
import type { WorkflowNode } from '@tandem/contract/workflow'
import { followLink, workflowRunAddress } from '../../address.ts'
import { isForPerson } from '../../store/workflow-progress.ts'
import { workflowWords } from '../../strings/workflows.ts'
import { formatTime } from '../../text/time.ts'
import { ConversationLink } from './conversation-link.tsx'

interface Props {
  readonly name: string
  readonly node: WorkflowNode | null
  readonly record: WorkflowRunNode
  readonly run: Pick<WorkflowSnapshot, 'run_id'>
}

const told = workflowWords.run

export function NodeWait({ name, node, record, run: { run_id } }: Props) {
  return (
    <>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-3 text-sm text-warn">
        {waitText(record, node)}
        {isForPerson(record.waits_for) && run_id !== null && (
          <ConversationLink run_id={run_id} text={told.answer} label={told.answerOf(name)} />
        )}
      </p>
      <ChildLink node={node} record={record} />
    </>
  )
}

/** The run that a node started. */
export function ChildLink({ node, record: { child_run_id } }: Pick<Props, 'node' | 'record'>) {
  if (child_run_id === null || node === null) return null
  return (
    <p className="mt-1 text-sm">
      {node.kind === 'workflow' ? (
        <a href={workflowRunAddress(child_run_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
          {told.openWorkflow}
        </a>
      ) : (
        <ConversationLink run_id={child_run_id} text={told.openAgent} />
      )}
    </p>
  )
}

function waitText({ waits_for, until }: WorkflowRunNode, node: WorkflowNode | null): string {
  if (waits_for === null) return told.states.waiting
  if (waits_for === 'time' && until !== null) return told.waitsUntil(formatTime(until))
  if (waits_for === 'child' && node !== null) return node.kind === 'workflow' ? told.workflowWorks : told.agentWorks
  return told.waits[waits_for]
}
