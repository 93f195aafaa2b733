// One workflow run: how far it is, what it waits for, and what each node did.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import { workflowAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useWorkflowRun } from '../client/use-workflow-run.ts'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { OtherDevice } from '../part/workflow/other-device.tsx'
import { RunControls } from '../part/workflow/run-controls.tsx'
import { isOnOtherDevice } from '../store/open-run.ts'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { BackLink } from './back-link.tsx'
import { RunEvents } from './run-events.tsx'
import { RunGraph } from './run-graph.tsx'
import { RunNodes } from './run-nodes.tsx'
import { RunSummary } from './run-summary.tsx'

const told = workflowWords.run
/** After a failure, effects may still be undone. */
const idle_ms = 10_000

export function RunPage({ workflow_run_id }: { workflow_run_id: string }) {
  const reading = useWorkflowRun(workflow_run_id, { idle_ms })
  const { state: asked } = reading
  const run = asked.state === 'ready' ? asked.value.run : null
  const isGone = asked.state === 'failed' && asked.error.code === 'not_found'
  return (
    <PageLayout title={run === null ? told.title : visibleName(run.name)} lead={run === null ? '' : told.title}>
      {run === null ? (
        <BackLink href="/workflows" text={workflowWords.back} />
      ) : (
        <BackLink href={workflowAddress(run.workflow_id)} text={told.workflow} />
      )}
      {isGone ? (
        <EmptyState>{told.gone}</EmptyState>
      ) : (
        <RequestResult reading={reading}>{(opened) => <Opened run={opened.run} again={reading.reload} />}</RequestResult>
      )}
    </PageLayout>
  )
}

function Opened({ run, again }: { run: WorkflowSnapshot; again(): Promise<void> }) {
  const isAway = useWindowState((state) => isOnOtherDevice(state, run))
  const context = { run, canSkip: !isAway, again }
  return (
    <>
      <RunSummary run={run} />
      <div className="mb-8">{isAway ? <OtherDevice device_id={run.device_id} /> : <RunControls run={run} again={again} />}</div>
      {run.definition !== null && <RunGraph definition={run.definition} context={context} />}
      <RunNodes {...context} />
      <RunEvents workflow_run_id={run.workflow_run_id} version={run.last_seq} />
    </>
  )
}
