// Everything that happened in a workflow run, in order.
import { usePages } from '../client/use-pages.ts'
import { Button } from '../part/form/button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Section } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { formatTimeWithSeconds } from '../text/time-of-day.ts'
import { visibleText } from '../text/visible.ts'

const pageSize = 50

export function RunEvents({ workflow_run_id, version }: { workflow_run_id: string; version: number }) {
  const pages = usePages('workflow_run_list_events', { workflow_run_id }, { size: pageSize, version })
  return (
    <Section title={workflowWords.run.events}>
      <RequestResult reading={pages}>
        {({ items, hasMore }) =>
          items.length === 0 ? (
            <EmptyState>{workflowWords.run.noEvents}</EmptyState>
          ) : (
            <>
              <ol className="space-y-1 text-sm">
                {items.map((event) => (
                  <li key={event.event_id} className="flex flex-wrap gap-x-3 break-words">
                    <time dateTime={event.ts} className="text-faint tabular-nums">
                      {formatTimeWithSeconds(event.ts)}
                    </time>
                    <span className="min-w-0 flex-1 basis-48">{visibleText(workflowWords.eventLine(event))}</span>
                  </li>
                ))}
              </ol>
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
