// When the user writes, from the times of messages. Pure.
import type { Signal } from '@tandem/contract/memory'

/** The hour of the day of each message by the user, 0 to 23 in the user's time zone, and the message at the same place. */
export interface CadenceInput {
  readonly hours: readonly number[]
  readonly message_ids: readonly string[]
}

/** With fewer messages, a pattern is chance. */
const fewestMessages = 30
const bandHours = 4
/** Four hours are a pattern if at least this share of all messages is in them; evenly spread it would be a sixth. */
const patternShare = 0.5
const mostExamples = 20

/** The four hours in a row in which most messages were written, if they are half of them. */
export function cadenceSignals({ hours, message_ids }: CadenceInput): Signal[] {
  const messages = hours.flatMap((hour, index) => {
    const id = message_ids[index]
    return id !== undefined && Number.isInteger(hour) && hour >= 0 && hour < 24 ? [{ hour, id }] : []
  })
  if (messages.length < fewestMessages) return []
  const counts = new Array<number>(24).fill(0)
  for (const { hour } of messages) counts[hour] = (counts[hour] ?? 0) + 1
  const bands = counts.map((_, from) =>
    Array.from({ length: bandHours }, (_unused, step) => counts[(from + step) % 24] ?? 0).reduce((sum, count) => sum + count, 0),
  )
  const most = Math.max(...bands)
  const share = most / messages.length
  if (share < patternShare) return []
  const from = bands.indexOf(most)
  const to = (from + bandHours) % 24
  const inside = messages.filter(({ hour }) => (hour - from + 24) % 24 < bandHours).map(({ id }) => id)
  const excerpt = `${most} of ${messages.length} messages were written from ${from}:00 to ${to}:00`
  const evidence = inside
    .sort()
    .slice(-mostExamples)
    .map((id) => ({ source: 'message' as const, id, excerpt }))
  return [{ name: 'active_hours', value: `Mostly writes from ${from}:00 to ${to}:00`, confidence: Math.round(share * 100) / 100, evidence }]
}
