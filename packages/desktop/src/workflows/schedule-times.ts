// When a schedule starts, as a form has it and as a cron expression.
import { workflowWords } from '../strings/workflows.ts'

export const schedulePresets = ['hourly', 'daily', 'weekly', 'custom'] as const
export type SchedulePreset = (typeof schedulePresets)[number]

export interface ScheduleChoice {
  readonly preset: SchedulePreset
  /** For `hourly`. */
  readonly minute: string
  /** For `daily` and `weekly`, such as `08:30`. */
  readonly time: string
  /** For `weekly`; Sunday is 0. */
  readonly weekday: number
  /** For `custom`. */
  readonly cron: string
}

const told = workflowWords.schedules

/** Not a valid expression if a field is empty: the runtime explains what is wrong. */
export function cronOf({ preset, minute, time, weekday, cron }: ScheduleChoice): string {
  if (preset === 'custom') return cron.trim()
  if (preset === 'hourly') return `${minute.trim()} * * * *`
  const [hours = '', minutes = ''] = time.split(':')
  if (hours === '' || minutes === '') return ''
  return `${Number(minutes)} ${Number(hours)} * * ${preset === 'weekly' ? weekday : '*'}`
}

/** In words; null for an expression that no preset creates. */
export function scheduleText(cron: string): string | null {
  const match = /^(\d{1,2}) (?:(\d{1,2}) \* \* ([0-6*])|\* \* \* \*)$/.exec(cron)
  if (!match) return null
  const [, minute = '', hour, day] = match
  if (hour === undefined) return told.hourly(Number(minute))
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  const name = told.weekdays[Number(day)]
  return name === undefined ? told.daily(time) : told.weekly(name, time)
}
