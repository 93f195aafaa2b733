// Which recovery points without contents a restore of another one still depends on. Pure.

export interface HistoryPoint {
  readonly checkpoint_id: string
  /** Null after its conversation was erased. */
  readonly run_id: string | null
  readonly from: number
  /** Infinite while its call, or its background command, has not ended. */
  readonly to: number
  /** Its contents are stored, so that it can be restored. */
  readonly whole: boolean
}

/**
 * A restore passes everything its run did since the point, and compares it with what other runs did at the same time. So what happened in a
 * point is needed while an older point of its run can be restored, and while a restore passes a point of another run that overlaps with it.
 */
export function neededPoints(points: readonly HistoryPoint[]): ReadonlySet<string> {
  const oldest = new Map<string, number>()
  for (const { run_id, from, whole } of points) {
    if (whole && run_id !== null) oldest.set(run_id, Math.min(from, oldest.get(run_id) ?? Number.POSITIVE_INFINITY))
  }
  // A background command of an older point may have run on.
  const isPassed = ({ run_id, to }: HistoryPoint) => run_id !== null && to > (oldest.get(run_id) ?? Number.POSITIVE_INFINITY)
  const passed = points.filter((point) => point.whole || isPassed(point))
  const needed = points.filter(
    (one) => !one.whole && (isPassed(one) || passed.some((other) => isOtherRun(one, other) && one.from < other.to && other.from < one.to)),
  )
  return new Set(needed.map(({ checkpoint_id }) => checkpoint_id))
}

function isOtherRun(one: HistoryPoint, other: HistoryPoint): boolean {
  return one.run_id === null || one.run_id !== other.run_id
}
