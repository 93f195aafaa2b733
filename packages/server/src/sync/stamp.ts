// A stamp is a count of milliseconds since 1970; on the wire it is a timestamp. Both say the same, so a cursor survives a `Date`.

/** Before the first write. Pulling from here is pulling from nothing. */
export const beginning = 0

export function toTimestamp(stamp: number): string {
  return new Date(stamp).toISOString()
}

/** Times before 1970 are the beginning too. */
export function toStamp(timestamp: string): number {
  return Math.max(beginning, Date.parse(timestamp))
}
