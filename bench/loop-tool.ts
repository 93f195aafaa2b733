// The tool of the peers and the limit: the same result as our `time.now`, computed the same way.
export const toolFunction = {
  name: 'time_now',
  description: 'The present date and time.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
}

export function timeNow(): object {
  const instant = Temporal.Now.instant()
  const local = instant.toZonedDateTimeISO(Temporal.Now.timeZoneId())
  return {
    iso: local.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' }),
    utc: instant.toString({ smallestUnit: 'millisecond' }),
    zone: local.timeZoneId,
    offset: local.offset,
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'second' }),
    weekday: local.dayOfWeek,
    week: local.weekOfYear,
    unix: Math.floor(instant.epochMilliseconds / 1_000),
  }
}
