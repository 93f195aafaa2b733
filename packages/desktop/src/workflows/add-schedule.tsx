import { missedStarts } from '@tandem/contract/workflow-run'
import { useId, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Choice } from '../part/form/choice.tsx'
import { Form } from '../part/form/form.tsx'
import { SubmitActions } from '../part/form/submit-actions.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { draftOf } from './input-values.ts'
import { ScheduleTimeFields } from './schedule-time-fields.tsx'
import { cronOf, type ScheduleChoice } from './schedule-times.ts'
import { type StartChoice, StartFields, startParams } from './start-fields.tsx'
import type { StoredWorkflow } from './stored-text.ts'

const told = workflowWords.schedules

export function AddSchedule({ workflow: { workflow_id, definition }, onDone }: { workflow: StoredWorkflow; onDone(): void }) {
  const { channel } = useRuntimeClient()
  const form = useForm()
  const { inputs } = definition
  const [times, setTimes] = useState<ScheduleChoice>({ preset: 'daily', minute: '0', time: '08:00', weekday: 1, cron: '' })
  const [time_zone, setZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [missed, setMissed] = useState<(typeof missedStarts)[number]>('skip')
  const [choice, setChoice] = useState<StartChoice>(() => ({ draft: draftOf(inputs), agent_id: '', workspace: '' }))
  const add = async () => {
    const params = startParams(form, inputs, choice)
    if (params === null) return
    const cron = cronOf(times)
    const answer = await form.send(() => channel.call('workflow_schedule_save', { workflow_id, cron, time_zone, missed, ...params }))
    if (answer.ok) onDone()
  }
  return (
    <Panel className="mb-4 p-4">
      <Form form={form} onSubmit={add} className="grid gap-4">
        <ScheduleTimeFields value={times} onChange={setTimes} />
        <TimeZone value={time_zone} onChange={setZone} />
        <Choice
          label={told.missed}
          values={missedStarts}
          value={missed}
          onChange={setMissed}
          nameOf={(one) => told.missedChoices[one]}
          mono={false}
        />
        <StartFields inputs={inputs} value={choice} onChange={setChoice} />
        <SubmitActions label={told.save} />
      </Form>
    </Panel>
  )
}

function TimeZone({ value, onChange }: { value: string; onChange(value: string): void }) {
  const id = useId()
  const zones = [...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-soft text-sm">
        {told.timeZone}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className="field w-full sm:w-auto">
        {zones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </select>
    </div>
  )
}
