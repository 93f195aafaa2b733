// The runs of a workflow, newest first.
import { followLink, workflowRunAddress } from '../address.ts'
import { usePages } from '../client/use-pages.ts'
import { Button } from '../part/form/button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTime } from '../text/time.ts'
import { ListedRunBadge } from './run-badge.tsx'

const pageSize = 10

export function RunList({ workflow_id, version }: { workflow_id: string; version: string }) {
  const pages = usePages('workflow_run_list', { workflow_id }, { size: pageSize, version })
  return (
    <Section title={workflowWords.runs}>
      <RequestResult reading={pages}>
        {({ items, hasMore }) =>
          items.length === 0 ? (
            <EmptyState>{workflowWords.noRuns}</EmptyState>
          ) : (
            <>
              <Panel className="overflow-hidden">
                <ul className="divide-y divide-line">
                  {items.map(({ workflow_run_id, reason, started_at, ended_at, ...run }) => (
                    <li key={workflow_run_id}>
                      <a
                        href={workflowRunAddress(workflow_run_id)}
                        onClick={followLink}
                        className="block px-4 py-2.5 hover:bg-sunken focus-visible:-outline-offset-2"
                      >
                        <span className="flex items-baseline justify-between gap-3">
                          <span className="text-sm">
                            {workflowWords.started(formatTime(started_at))}
                            {ended_at !== null && <span className="text-faint"> · {workflowWords.ended(formatTime(ended_at))}</span>}
                          </span>
                          <ListedRunBadge run={run} />
                        </span>
                        {reason !== null && <span className="block break-words text-soft text-sm">{visibleSentence(reason)}</span>}
                      </a>
                    </li>
                  ))}
                </ul>
              </Panel>
              {hasMore && (
                <Button className="mt-4" onClick={pages.more}>
                  {workflowWords.more}
                </Button>
              )}
            </>
          )
        }
      </RequestResult>
    </Section>
  )
}
