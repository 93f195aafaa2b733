import type { WorkflowSchedule } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { AskFirst } from '../part/form/ask-first.tsx'
import { Button } from '../part/form/button.tsx'
import { Switch } from '../part/form/switch.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { scheduleText } from './schedule-times.ts'
import type { StoredWorkflow } from './stored-text.ts'

const told = workflowWords.schedules

interface Props {
  readonly workflow: StoredWorkflow
  readonly schedule: WorkflowSchedule
  again(): Promise<void>
}

export function ScheduleRow({ workflow, schedule, again }: Props) {
  const client = useRuntimeClient()
  const { schedule_id, workflow_id, cron, time_zone, missed, agent_id, workspace, inputs, is_enabled } = schedule
  const { next_at, last_at, last_problem } = schedule
  // The switch moves at once, and back if that was refused.
  const [wanted, setWanted] = useState<boolean | null>(null)
  const [isEditing, setEditing] = useState(false)
  const text = scheduleText(cron)
  const name = text ?? visibleName(cron)
  const change = async (enabled: boolean) => {
    setWanted(enabled)
    const same = { schedule_id, workflow_id, cron, time_zone, missed, agent_id, workspace, inputs }
    await client.call(workflowWords.doing.schedule, 'workflow_schedule_save', { ...same, is_enabled: enabled })
    await again()
    setWanted(null)
  }
  const remove = async () => {
    await client.call(workflowWords.doing.deleteSchedule, 'workflow_schedule_delete', { schedule_id })
    await again()
  }
  const saved = () => {
    setEditing(false)
    void again()
  }
  const facts = [
    visibleName(time_zone),
    ...(is_enabled ? (next_at === null ? [] : [told.next(formatTime(next_at))]) : [told.off]),
    ...(last_at === null ? [] : [told.last(formatTime(last_at))]),
    visibleName(workspace),
  ]
  return (
    <article aria-label={name} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className={`break-words font-medium ${text === null ? 'font-mono text-[13px]' : ''}`}>{name}</p>
        <p className="break-words text-faint text-sm">{facts.join(' · ')}</p>
        {last_problem !== null && <p className="break-words text-bad text-sm">{told.problem(visibleName(last_problem))}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Switch label={told.enabled(name)} value={wanted ?? is_enabled} onChange={change} hidesLabel />
        <Button aria-label={told.editOf(name)} aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          {told.edit}
        </Button>
        <AskFirst name={told.delete} label={told.deleteOf(name)} question={told.deleteSure} yes={told.deleteYes} act={remove} />
      </div>
      {isEditing && (
        <div className="w-full border-line border-t pt-4">
          <ScheduleForm workflow={workflow} schedule={schedule} onSaved={saved} onCancel={() => setEditing(false)} />
        </div>
      )}
    </article>
  )
}
