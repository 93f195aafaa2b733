// The graph of the text in the editor. While the text has problems, it is the last one that had none.
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { EmptyState } from '../../part/page-layout.tsx'
import { workflowWords } from '../../strings/workflows.ts'
import { WorkflowGraphView } from '../graph/workflow-graph-view.tsx'

const told = workflowWords.editor

export function DraftGraph({ definition, isCurrent }: { definition: WorkflowDefinition | null; isCurrent: boolean }) {
  if (definition === null) return isCurrent ? null : <EmptyState>{told.noGraph}</EmptyState>
  return (
    <div className="min-w-0">
      <WorkflowGraphView definition={definition} />
      <p className="mt-2 min-h-6 text-faint text-sm">{isCurrent ? '' : told.lastGraph}</p>
    </div>
  )
}
