import { useId } from 'react'
import { Choice } from '../part/form/choice.tsx'
import { FieldError } from '../part/form/form.tsx'
import { SelectField } from '../part/form/select-field.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useField } from '../part/form/use-form.ts'
import { workflowWords } from '../strings/workflows.ts'
import { type ScheduleChoice, schedulePresets } from './schedule-times.ts'

interface Props {
  readonly value: ScheduleChoice
  onChange(value: ScheduleChoice): void
}

const told = workflowWords.schedules

/** How often, and when exactly. */
export function ScheduleTimeFields({ value, onChange }: Props) {
  const { preset } = value
  return (
    <>
      <Choice
        label={told.when}
        values={schedulePresets}
        value={preset}
        onChange={(next) => onChange({ ...value, preset: next })}
        nameOf={(one) => told.presets[one]}
        mono={false}
      />
      {preset === 'hourly' && (
        <TextField
          label={told.minute}
          field="cron"
          type="number"
          value={value.minute}
          onChange={(minute) => onChange({ ...value, minute })}
        />
      )}
      {(preset === 'daily' || preset === 'weekly') && (
        <div className="flex flex-wrap gap-4">
          {preset === 'weekly' && <Weekday value={value} onChange={onChange} />}
          <Time value={value} onChange={onChange} />
        </div>
      )}
      {preset === 'custom' && (
        <TextField
          label={told.cron}
          field="cron"
          hint={told.cronHint}
          value={value.cron}
          onChange={(cron) => onChange({ ...value, cron })}
          mono
        />
      )}
    </>
  )
}

function Weekday({ value, onChange }: Props) {
  return (
    <SelectField label={told.weekday} value={value.weekday} onChange={(weekday) => onChange({ ...value, weekday: Number(weekday) })}>
      {told.weekdays.map((name, day) => (
        <option key={name} value={day}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

function Time({ value, onChange }: Props) {
  const id = useId()
  const { error, errorId, input, onEdit } = useField('cron')
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-soft text-sm">
        {told.time}
      </label>
      <input
        id={id}
        type="time"
        value={value.time}
        onChange={(event) => {
          onEdit()
          onChange({ ...value, time: event.target.value })
        }}
        className="field"
        {...input}
      />
      <FieldError id={errorId} error={error} />
    </div>
  )
}
