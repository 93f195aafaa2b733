// Which history of the cloud's database a response belongs to.

export interface PreviousEpoch {
  readonly epoch: string
  readonly left_at: number
}

export interface KnownEpochs {
  readonly epoch: string | null
  readonly left_epochs: readonly PreviousEpoch[]
}

/**
 * - `same`: the history that this device follows, or the first one it sees.
 * - `new`: the cloud was promoted or restored. What it acknowledged may be missing there, so everything is sent again.
 * - `left`: an old copy is still responding. What it acknowledges is lost with it, so its responses do not count.
 */
export type EpochRelation = 'same' | 'new' | 'left'

/** An old copy that still responds after this time is the one that the operator chose to keep. */
export const previousEpochTime_ms = 10 * 60_000

export function classifyEpoch({ epoch: known, left_epochs }: KnownEpochs, epoch: string, now: number): EpochRelation {
  if (known === epoch) return 'same'
  if (left_epochs.some((left) => left.epoch === epoch && isRecent(left.left_at, now))) return 'left'
  return known === null ? 'same' : 'new'
}

/** The list after changing from the current epoch to `next`. */
export function changeEpoch({ epoch, left_epochs }: KnownEpochs, next: string, now: number): PreviousEpoch[] {
  const kept = left_epochs.filter((left) => left.epoch !== next && left.epoch !== epoch && isRecent(left.left_at, now))
  return epoch === null || epoch === next ? kept : [...kept, { epoch, left_at: now }]
}

/** The wall clock may also jump back. */
export function isRecent(at: number | null, now: number): boolean {
  return at !== null && Math.abs(now - at) < previousEpochTime_ms
}
