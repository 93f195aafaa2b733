// One workflow: start it, see its runs, let it start at set times, and read it.
import { goTo } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { type ReadRequest, useRequest } from '../client/use-request.ts'
import { AskFirst } from '../part/form/ask-first.tsx'
import { Button } from '../part/form/button.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Section } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { ApprovedWorkflow, ApproveWorkflow } from './approve-workflow.tsx'
import { BackLink } from './back-link.tsx'
import { RunList } from './run-list.tsx'
import { Schedules } from './schedules.tsx'
import { StartWorkflow } from './start-workflow.tsx'
import { readStoredText, type StoredText, type StoredWorkflow } from './stored-text.ts'
import { WorkflowFacts, WorkflowNotices } from './workflow-row.tsx'
import { WorkflowText } from './workflow-text.tsx'

/** Another window or device may change it. */
const lookEvery_ms = 5_000

export function WorkflowPage({ workflow_id }: { workflow_id: string }) {
  const { channel } = useRuntimeClient()
  const reading = useRequest(workflow_id, () => readStoredText(channel, workflow_id), { every_ms: lookEvery_ms })
  const { state: asked } = reading
  const isGone = asked.state === 'failed' && asked.error.code === 'not_found'
  const workflow = asked.state === 'ready' ? asked.value.workflow : null
  return (
    <PageLayout
      title={workflow === null ? workflowWords.title : visibleName(workflow.name)}
      lead={visibleText(workflow?.description ?? '')}
      aside={workflow && <Actions workflow={workflow} />}
    >
      <BackLink href="/workflows" text={workflowWords.back} />
      {isGone ? (
        <EmptyState>{workflowWords.gone}</EmptyState>
      ) : (
        <RequestResult reading={reading}>{(stored) => <Opened stored={stored} reading={reading} />}</RequestResult>
      )}
    </PageLayout>
  )
}

function Opened({ stored: { workflow, text }, reading }: { stored: StoredText; reading: ReadRequest<StoredText> }) {
  const { workflow_id, sha256, is_approved } = workflow
  return (
    <>
      <div className="mb-8">
        <p className="flex flex-wrap gap-2">
          <WorkflowNotices workflow={workflow} />
        </p>
        <WorkflowFacts workflow={workflow} />
      </div>
      {/* Another version begins with its own defaults and its own approval. */}
      {is_approved ? (
        <StartWorkflow key={sha256} workflow={workflow} />
      ) : (
        <ApproveWorkflow key={sha256} workflow={workflow} again={reading.reload} />
      )}
      <RunList workflow_id={workflow_id} version={`${workflow.last_run?.workflow_run_id} ${workflow.last_run?.state}`} />
      <Schedules workflow={workflow} />
      <Section title={workflowWords.definition}>
        <div className="grid gap-3">
          <WorkflowText label={workflowWords.definition} text={text} />
          {is_approved && <ApprovedWorkflow workflow={workflow} again={reading.reload} />}
        </div>
      </Section>
    </>
  )
}

function Actions({ workflow: { workflow_id, name } }: { workflow: StoredWorkflow }) {
  const client = useRuntimeClient()
  const shown = visibleName(name)
  const remove = async () => {
    const answer = await client.call(workflowWords.doing.delete, 'workflow_delete', { workflow_id })
    if (answer.ok) goTo('/workflows')
  }
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button aria-label={workflowWords.editOf(shown)} onClick={() => goTo(`/workflows/${encodeURIComponent(workflow_id)}/edit`)}>
        {workflowWords.edit}
      </Button>
      <AskFirst
        name={workflowWords.delete}
        label={workflowWords.deleteOf(shown)}
        question={workflowWords.deleteSure(shown)}
        yes={workflowWords.deleteYes}
        act={remove}
      />
    </div>
  )
}
