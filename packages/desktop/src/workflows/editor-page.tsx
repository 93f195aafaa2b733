// The page of the editor: for a new workflow, which begins with an example, and for a stored one.
import { workflowAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { type WorkflowExampleName, workflowExamples } from '../strings/workflow-examples.ts'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { BackLink } from './back-link.tsx'
import { readStoredText } from './stored-text.ts'
import { WorkflowEditor } from './workflow-editor.tsx'

export function NewWorkflow({ example = 'note' }: { example?: string | undefined }) {
  const { text } = isExample(example) ? workflowExamples[example] : workflowExamples.note
  return (
    <PageLayout title={workflowWords.editor.newTitle} lead={workflowWords.editor.lead}>
      <BackLink href="/workflows" text={workflowWords.back} />
      <WorkflowEditor text={text} stored={null} />
    </PageLayout>
  )
}

export function EditWorkflow({ workflow_id }: { workflow_id: string }) {
  const { channel } = useRuntimeClient()
  // Not repeated while the user edits.
  const reading = useRequest(workflow_id, () => readStoredText(channel, workflow_id))
  const { state: asked } = reading
  const isGone = asked.state === 'failed' && asked.error.code === 'not_found'
  const name = asked.state === 'ready' ? visibleName(asked.value.workflow.name) : null
  return (
    <PageLayout title={name === null ? workflowWords.title : workflowWords.editOf(name)} lead={workflowWords.editor.lead}>
      <BackLink href={isGone ? '/workflows' : workflowAddress(workflow_id)} text={name === null ? workflowWords.back : name} />
      {isGone ? (
        <EmptyState>{workflowWords.gone}</EmptyState>
      ) : (
        <RequestResult reading={reading}>{({ workflow, text }) => <WorkflowEditor text={text} stored={workflow} />}</RequestResult>
      )}
    </PageLayout>
  )
}

function isExample(name: string): name is WorkflowExampleName {
  return Object.hasOwn(workflowExamples, name)
}
