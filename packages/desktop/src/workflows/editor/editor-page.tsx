// The page of the editor: for a new workflow, which begins with an example, and for a stored one.
import { useState } from 'react'
import { workflowAddress } from '../../address.ts'
import { useRuntimeClient } from '../../client/use-client.ts'
import { useRequest } from '../../client/use-request.ts'
import { EmptyState, PageLayout } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { workflowWords } from '../../strings/workflows.ts'
import { visibleName } from '../../text/name.ts'
import { BackLink } from '../back-link.tsx'
import { readStoredText, type StoredText } from '../stored-text.ts'
import { type WorkflowExampleName, workflowExamples } from '../workflow-examples.ts'
import { WorkflowEditor } from './workflow-editor.tsx'

export function NewWorkflow({ example = 'note' }: { example?: string | undefined }) {
  const { text } = isExample(example) ? workflowExamples[example] : workflowExamples.note
  return (
    <PageLayout title={workflowWords.editor.newTitle} lead={workflowWords.editor.lead}>
      <BackLink href="/workflows" text={workflowWords.back} />
      <WorkflowEditor text={text} stored={null} keptAs={`new.${example}`} />
    </PageLayout>
  )
}

export function EditWorkflow({ workflow_id }: { workflow_id: string }) {
  const { channel } = useRuntimeClient()
  const reading = useRequest(workflow_id, () => readStoredText(channel, workflow_id))
  const { state: asked } = reading
  // What is read again later, after a reconnect, must not replace the text that the user is editing.
  const [opened, setOpened] = useState<StoredText | null>(null)
  if (opened === null && asked.state === 'ready') setOpened(asked.value)
  if (opened !== null) {
    const name = visibleName(opened.workflow.name)
    return (
      <PageLayout title={workflowWords.editOf(name)} lead={workflowWords.editor.lead}>
        <BackLink href={workflowAddress(workflow_id)} text={name} />
        <WorkflowEditor text={opened.text} stored={opened.workflow} keptAs={workflow_id} />
      </PageLayout>
    )
  }
  const isGone = asked.state === 'failed' && asked.error.code === 'not_found'
  return (
    <PageLayout title={workflowWords.title} lead="">
      <BackLink href="/workflows" text={workflowWords.back} />
      {isGone ? <EmptyState>{workflowWords.gone}</EmptyState> : <RequestResult reading={reading}>{() => null}</RequestResult>}
    </PageLayout>
  )
}

function isExample(name: string): name is WorkflowExampleName {
  return Object.hasOwn(workflowExamples, name)
}
