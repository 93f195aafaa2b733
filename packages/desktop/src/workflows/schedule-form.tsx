// When a workflow starts by itself, and with what: a new schedule, or one that is changed.
import type { WorkflowSchedule } from '@tandem/contract/command'
import { missedStarts } from '@tandem/contract/workflow-run'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Choice } from '../part/form/choice.tsx'
import { Form } from '../part/form/form.tsx'
import { SelectField } from '../part/form/select-field.tsx'
import { SubmitActions } from '../part/form/submit-actions.tsx'
import { useForm } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'
import { workflowWords } from '../strings/workflows.ts'
import { draftOf } from './input-values.ts'
import { parsedJson } from './parsed-json.ts'
import { SchedulePreview } from './schedule-preview.tsx'
import { ScheduleTimeFields } from './schedule-time-fields.tsx'
import { choiceOf, cronOf, type ScheduleChoice } from './schedule-times.ts'
import { type StartChoice, StartFields, startParams } from './start-fields.tsx'
import type { StoredWorkflow } from './stored-text.ts'

interface Props {
  readonly workflow: StoredWorkflow
  /** Absent for a new one. */
  readonly schedule?: WorkflowSchedule
  onSaved(): void
  onCancel(): void
}

const told = workflowWords.schedules
const everyMorning = '0 8 * * *'

export function ScheduleForm({ workflow: { workflow_id, definition }, schedule, onSaved, onCancel }: Props) {
  const { channel } = useRuntimeClient()
  const form = useForm()
  const { inputs } = definition
  const [times, setTimes] = useState<ScheduleChoice>(() => choiceOf(schedule?.cron ?? everyMorning))
  const [time_zone, setZone] = useState(() => schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [missed, setMissed] = useState<(typeof missedStarts)[number]>(schedule?.missed ?? 'skip')
  const [start, setStart] = useState<StartChoice>(() => ({
    draft: draftOf(inputs, valuesIn(schedule?.inputs)),
    agent_id: schedule?.agent_id ?? '',
    workspace: schedule?.workspace ?? '',
  }))
  const cron = cronOf(times)
  const save = async () => {
    const params = startParams(form, inputs, start)
    if (params === null) return
    const same = schedule ? { schedule_id: schedule.schedule_id, is_enabled: schedule.is_enabled } : {}
    const fields = { workflow_id, cron, time_zone, missed, ...same, ...params }
    const answer = await form.send(() => channel.call('workflow_schedule_save', fields))
    if (answer.ok) onSaved()
  }
  return (
    <Form form={form} onSubmit={save} className="grid gap-4">
      <ScheduleTimeFields value={times} onChange={setTimes} />
      <TimeZone value={time_zone} onChange={setZone} />
      <SchedulePreview cron={cron} time_zone={time_zone} />
      <Choice
        label={told.missed}
        values={missedStarts}
        value={missed}
        onChange={setMissed}
        nameOf={(one) => told.missedChoices[one]}
        mono={false}
      />
      <StartFields inputs={inputs} value={start} onChange={setStart} hasDefaultAgent={schedule === undefined} />
      <SubmitActions label={schedule ? told.saveChanges : told.save}>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </SubmitActions>
    </Form>
  )
}

function valuesIn(inputs: string | undefined): Readonly<Record<string, unknown>> {
  const values = inputs === undefined ? null : parsedJson(inputs)
  return typeof values === 'object' && values !== null ? { ...values } : {}
}

function TimeZone({ value, onChange }: { value: string; onChange(value: string): void }) {
  const zones = [...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <SelectField label={told.timeZone} value={value} onChange={onChange} className="w-full sm:w-auto">
      {zones.map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </SelectField>
  )
}
