// The Workflows page: the list, the editor, one workflow, and one workflow run.
import { goTo } from '../address.ts'
import { useCompleteList } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { EditWorkflow, NewWorkflow } from './editor/editor-page.tsx'
import { WorkflowFromRun } from './editor/run-draft.tsx'
import { RunPage } from './run-page.tsx'
import { WorkflowList } from './workflow-list.tsx'
import { WorkflowPage } from './workflow-page.tsx'

/** Runs and schedules change a list without an event. */
const lookEvery_ms = 5_000

export default function Workflows({ section, id }: { section?: string; id?: string }) {
  if (section === undefined) return <Overview />
  if (section === 'new') return <NewWorkflow key={id ?? ''} example={id} />
  if (section === 'from' && id !== undefined) return <WorkflowFromRun key={id} run_id={id} />
  if (section === 'runs' && id !== undefined) return <RunPage key={id} workflow_run_id={id} />
  if (id === 'edit') return <EditWorkflow key={section} workflow_id={section} />
  return <WorkflowPage key={section} workflow_id={section} />
}

function Overview() {
  const workflows = useCompleteList('workflow_list', {}, { every_ms: lookEvery_ms })
  return (
    <PageLayout
      title={workflowWords.title}
      lead={workflowWords.lead}
      aside={<Button onClick={() => goTo('/workflows/new')}>{workflowWords.new}</Button>}
    >
      <WorkflowList workflows={workflows} />
    </PageLayout>
  )
}
