// When the user writes, from the times of messages. Pure.
import type { Signal, SignalName } from '@tandem/contract/memory'

export interface WrittenMessage {
  readonly message_id: string
  readonly conversation_id: string
}

/** The hour of the day of each message by the user, 0 to 23 in the user's time zone, and the message at the same place. */
export interface CadenceInput {
  readonly hours: readonly number[]
  readonly messages: readonly WrittenMessage[]
}

/** With fewer messages, a pattern is chance. */
const fewestMessages = 30
const bandHours = 4
/** Four hours are a pattern if at least this share of all messages is in them; evenly spread it would be a sixth. */
const patternShare = 0.5
const mostExamples = 20

/** The four hours in a row in which most messages were written, if they are half of them. */
export function cadenceSignals({ hours, messages: written }: CadenceInput): Signal[] {
  const messages = hours.flatMap((hour, index) => {
    const message = written[index]
    return message !== undefined && Number.isInteger(hour) && hour >= 0 && hour < 24 ? [{ hour, ...message }] : []
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
  const inside = messages.filter(({ hour }) => (hour - from + 24) % 24 < bandHours)
  const excerpt = `${most} of ${messages.length} messages were written from ${from}:00 to ${to}:00`
  const evidence = inside
    .toSorted((left, right) => (left.message_id < right.message_id ? -1 : 1))
    .slice(-mostExamples)
    .map(({ message_id, conversation_id }) => ({ source: 'message' as const, id: message_id, conversation_id, excerpt }))
  const name: SignalName = 'active_hours'
  return [{ name, value: `You mostly write from ${from}:00 to ${to}:00`, confidence: Math.round(share * 100) / 100, evidence }]
}
