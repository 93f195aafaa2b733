// When a workflow starts by itself.
import { useState } from 'react'
import { useCompleteList } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { ScheduleRow } from './schedule-row.tsx'
import type { StoredWorkflow } from './stored-text.ts'

const told = workflowWords.schedules

export function Schedules({ workflow }: { workflow: StoredWorkflow }) {
  const { workflow_id, next_start, sha256 } = workflow
  const schedules = useCompleteList('workflow_schedule_list', { workflow_id }, { version: next_start ?? '' })
  const [adding, setAdding] = useState<'closed' | 'open'>('closed')
  const done = () => {
    setAdding('closed')
    void schedules.reload()
  }
  const add = (
    <Button aria-expanded={adding === 'open'} onClick={() => setAdding(adding === 'open' ? 'closed' : 'open')}>
      {told.add}
    </Button>
  )
  return (
    <Section title={told.title} lead={told.lead} aside={add}>
      {adding === 'open' && (
        <Panel className="mb-4 p-4">
          <ScheduleForm key={sha256} workflow={workflow} onSaved={done} onCancel={() => setAdding('closed')} />
        </Panel>
      )}
      <RequestResult reading={schedules}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState>{told.none}</EmptyState>
          ) : (
            <Panel>
              <ul className="divide-y divide-line">
                {list.map((schedule) => (
                  <li key={schedule.schedule_id} className="px-4 py-3">
                    <ScheduleRow workflow={workflow} schedule={schedule} again={schedules.reload} />
                  </li>
                ))}
              </ul>
            </Panel>
          )
        }
      </RequestResult>
    </Section>
  )
}
