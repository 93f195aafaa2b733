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

/** The fields that create an expression; `custom` if no preset does. */
export function choiceOf(cron: string): ScheduleChoice {
  const choice: ScheduleChoice = { preset: 'custom', minute: '0', time: '08:00', weekday: 1, cron: '' }
  const found = presetOf(cron)
  if (!found) return { ...choice, cron }
  const { minute, time, day } = found
  if (time === null) return { ...choice, preset: 'hourly', minute }
  return day === null ? { ...choice, preset: 'daily', time } : { ...choice, preset: 'weekly', time, weekday: day }
}

/** In words; null for an expression that no preset creates. */
export function scheduleText(cron: string): string | null {
  const found = presetOf(cron)
  if (!found) return null
  const { minute, time, day } = found
  if (time === null) return told.hourly(Number(minute))
  return day === null ? told.daily(time) : told.weekly(told.weekdays[day] ?? '', time)
}

/** The parts of an expression that a preset creates: without a time every hour, without a day every day. */
function presetOf(cron: string) {
  const match = /^(\d{1,2}) (?:(\d{1,2}) \* \* ([0-6*])|\* \* \* \*)$/.exec(cron)
  if (!match) return null
  const [, minute = '', hour, day] = match
  const time = hour === undefined ? null : `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  return { minute, time, day: day === undefined || day === '*' ? null : Number(day) }
}
