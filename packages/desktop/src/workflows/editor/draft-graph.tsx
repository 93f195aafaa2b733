// The graph of the text in the editor. While the text has problems, it is the last one that had none.
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { workflowWords } from '../../strings/workflows.ts'
import { WorkflowGraphView } from '../graph/workflow-graph-view.tsx'

export function DraftGraph({ definition, isCurrent }: { definition: WorkflowDefinition; isCurrent: boolean }) {
  return (
    <div className="min-w-0">
      <WorkflowGraphView definition={definition} />
      <p className="mt-2 min-h-6 text-faint text-sm">{isCurrent ? '' : workflowWords.editor.lastGraph}</p>
    </div>
  )
}
