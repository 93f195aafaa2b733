import { TimeNowOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool } from '../../call/tool.ts'

export const timeNow = defineTool({
  name: 'time.now',
  summary: 'Get the current date and time, on this machine or in another time zone.',
  input: Type.Object(
    {
      zone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'An IANA time zone such as Europe/Berlin, or UTC. Default: the time zone of this machine',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: TimeNowOutput,
  effects: () => [],
  limits: { seconds: 5 },
  async run({ zone = Temporal.Now.timeZoneId() }, { clock }) {
    const instant = Temporal.Instant.fromEpochMilliseconds(clock.now())
    const local = inZone(instant, zone)
    return {
      iso: local.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' }),
      utc: instant.toString({ smallestUnit: 'millisecond' }),
      zone: local.timeZoneId,
      offset: local.offset,
      date: local.toPlainDate().toString(),
      time: local.toPlainTime().toString({ smallestUnit: 'second' }),
      weekday: weekdays[local.dayOfWeek - 1] ?? '',
      week: local.weekOfYear ?? 0,
      unix: Math.floor(instant.epochMilliseconds / 1_000),
    }
  },
})

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function inZone(instant: Temporal.Instant, zone: string): Temporal.ZonedDateTime {
  try {
    return instant.toZonedDateTimeISO(zone)
  } catch (error) {
    throw new ToolFailure('zone_unknown', `${zone} is not a time zone`, {
      subject: zone,
      remedy: 'Use an IANA name such as Europe/Berlin, or an offset such as +02:00.',
      recoverability: 'user_action',
      cause: error,
    })
  }
}
