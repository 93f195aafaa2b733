// A workflow in the list: what it does, how its last run ended, and when it starts next.
import type { ListedWorkflow } from '@tandem/contract/command'
import { followLink, workflowAddress, workflowRunAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { formatAgo } from '../text/ago.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { ListedRunBadge } from './run-badge.tsx'

export function WorkflowRow({ workflow }: { workflow: ListedWorkflow }) {
  const { workflow_id, description = '', last_run } = workflow
  const name = visibleName(workflow.name)
  return (
    <article aria-label={name}>
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <a
          href={workflowAddress(workflow_id)}
          onClick={followLink}
          className="min-w-0 break-words font-medium text-cloud underline-offset-4 hover:underline"
        >
          <bdi>{name}</bdi>
        </a>
        {last_run && (
          <a href={workflowRunAddress(last_run.workflow_run_id)} onClick={followLink} className="rounded">
            <ListedRunBadge run={last_run} />
          </a>
        )}
        <WorkflowNotices workflow={workflow} />
      </p>
      {description !== '' && <p className="mt-0.5 line-clamp-2 break-words text-soft text-sm">{visibleText(description)}</p>}
      <WorkflowFacts workflow={workflow} />
    </article>
  )
}

/** That it needs an approval, or differs from the cloud. */
export function WorkflowNotices({ workflow: { is_approved, cloud_state } }: { workflow: ListedWorkflow }) {
  return (
    <>
      {!is_approved && <Badge tone="warn">{workflowWords.notApproved}</Badge>}
      {workflowWords.cloud[cloud_state] !== '' && (
        <Badge tone={cloud_state === 'changed' ? 'plain' : 'warn'}>{workflowWords.cloud[cloud_state]}</Badge>
      )}
    </>
  )
}

export function WorkflowFacts({ workflow: { node_count, last_run, next_start, updated_at } }: { workflow: ListedWorkflow }) {
  const { clock } = useRuntimeClient()
  const facts = [
    workflowWords.nodes(node_count),
    last_run ? workflowWords.lastRun(formatAgo(last_run.started_at, clock.now())) : workflowWords.neverRun,
    ...(next_start === null ? [] : [workflowWords.nextStart(formatTime(next_start))]),
    workflowWords.changed(formatAgo(updated_at, clock.now())),
  ]
  return <p className="mt-0.5 break-words text-faint text-sm">{facts.join(' · ')}</p>
}
