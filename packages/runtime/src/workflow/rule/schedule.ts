// When a schedule starts its workflow. The library knows time zones and the days on which clocks change.
import { Cron } from 'croner'

export interface ScheduleTimes {
  readonly cron: string
  readonly time_zone: string
  readonly missed: 'run_once' | 'skip'
  readonly next_at: number | null
  readonly last_at: number | null
}

/** Later than this, a time counts as missed: Tandem was not running, or the device was asleep. */
export const grace_ms = 5 * 60_000

/** A clock that is set back by less only corrects itself: nothing is started a second time. */
const correction_ms = 25 * 3_600_000

/** Null if the expression or the time zone is not valid. */
export function scheduleProblem(cron: string, time_zone: string): string | null {
  try {
    const next = nextStart(cron, time_zone, 0)
    return next === null ? 'never comes' : null
  } catch (error) {
    return explained(cron, time_zone, error instanceof Error ? error.message : String(error))
  }
}

/** The next times after this one, as many as there are. */
export function nextStarts(cron: string, time_zone: string, after: number, count: number): readonly number[] {
  return new Cron(cron, { timezone: time_zone, paused: true }).nextRuns(count, new Date(after)).map((time) => time.getTime())
}

/** The first time after this one; null if there is none. */
export function nextStart(cron: string, time_zone: string, after: number): number | null {
  return new Cron(cron, { timezone: time_zone, paused: true }).nextRun(new Date(after))?.getTime() ?? null
}

export interface Due {
  readonly starts: boolean
  /** When it starts next. */
  readonly next_at: number | null
}

/** Null if it is not due. */
export function dueOf({ cron, time_zone, missed, next_at, last_at }: ScheduleTimes, now: number): Due | null {
  if (next_at === null) return null
  if (now >= next_at) return { starts: now - next_at <= grace_ms || missed === 'run_once', next_at: nextStart(cron, time_zone, now) }
  // The clock was far ahead when it started last, and has been corrected.
  if (last_at !== null && last_at - now > correction_ms) return { starts: false, next_at: nextStart(cron, time_zone, now) }
  return null
}

const fields = ['minute', 'hour', 'day of the month', 'month', 'day of the week']

/** The errors of the library as sentences for people. */
function explained(cron: string, time_zone: string, message: string): string {
  if (!isTimeZone(time_zone)) return `there is no time zone ${time_zone}`
  const words = cron.trim().split(/\s+/)
  if (words.length < fields.length) return `it needs five fields: ${fields.join(', ')}`
  const [, name, value] = /Invalid value for ([a-z ]+): (.*)$/.exec(message) ?? []
  if (name !== undefined && value !== undefined) return `${value} is not a valid ${name}`
  const [, position, written] = /configuration entry (\d) \((.*)\) contains illegal characters/.exec(message) ?? []
  if (position !== undefined && written !== undefined) return `${written} is not a valid ${fields[Number(position) - 1] ?? 'field'}`
  return message.replace(/^Cron\w+: /, '')
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    // The constructor throws for a name that it does not know.
    return false
  }
}
