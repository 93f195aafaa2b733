// Which checkpoints of this device are deleted, and in which order. Pure.
import type { FailureTaxonomy } from '../failure/index.ts'
import { limits } from '../limits/index.ts'

export interface RetainedCheckpoint {
  readonly checkpoint_id: string
  readonly conversation_id: string
  readonly created_at: string
  readonly restored: boolean
  readonly pending_approval: boolean
  readonly taxonomy: FailureTaxonomy
  /** When its contents were deleted to free space; from then on its files can no longer be restored. */
  readonly contents_deleted_at: string | null
}

export interface StoredCheckpoint extends RetainedCheckpoint {
  /** In use: its call, or a restore that needs it, has not ended. Never deleted. */
  readonly open: boolean
  /** The stored files it needs, by number. Several checkpoints may need the same file; it is deleted with the last of them. */
  readonly files: Iterable<number>
}

export const deletionReasons = ['outlived', 'over_cap', 'over_budget'] as const
export type DeletionReason = (typeof deletionReasons)[number]

export interface CheckpointDeletion {
  readonly checkpoint_id: string
  /** `contents`: the row is kept, and shows that its files can no longer be restored. */
  readonly deleted: 'point' | 'contents'
  readonly reason: DeletionReason
  readonly freed_bytes: number
}

export interface RetentionRequest {
  /** All checkpoints of this device, including one that is being created. */
  readonly checkpoints: readonly StoredCheckpoint[]
  readonly now: string
  readonly budget_bytes: number
  sizeOf(file: number): number
  readonly cap?: number
}

export interface RetentionChoice {
  /** In the order in which they happen. */
  readonly deletions: readonly CheckpointDeletion[]
  /** How far over the budget the store still is after all of them. */
  readonly missing_bytes: number
}

/** Restored, waiting for an approval, or after a failure: kept longer, and deleted later. */
export function isProtected(checkpoint: Omit<RetainedCheckpoint, 'conversation_id' | 'contents_deleted_at'>): boolean {
  return checkpoint.restored || checkpoint.pending_approval || checkpoint.taxonomy !== 'none'
}

/**
 * | order | what is deleted | when |
 * |---|---|---|
 * | 1 | ordinary points after 14 days, protected points after 45 | always |
 * | 2 | ordinary points, then protected ones, oldest first | while there are more than the cap |
 * | 3 | ordinary points, then protected ones, oldest first | while the store is over its budget |
 * | 4 | contents of the newest five of a conversation; the conversation that has been inactive longest first, its oldest point first | while the store is over its budget |
 *
 * Rows 1 to 3 do not apply to the newest five of each conversation. No row applies to the newest five of the device, or to a point in use.
 * A row whose contents were deleted does not count among the five. Row 1 deletes it, by the age since it lost its contents, or row 2.
 */
export function chooseDeletions(request: RetentionRequest): RetentionChoice {
  const { checkpoints, now, cap = limits.checkpoints_per_device } = request
  const oldestFirst = checkpoints.toSorted(byAge)
  const whole = oldestFirst.filter(({ contents_deleted_at }) => contents_deleted_at === null)
  const untouchable = new Set([...newest(whole), ...checkpoints.filter(({ open }) => open)])
  const conversations = Map.groupBy(whole, ({ conversation_id }) => conversation_id)
  const recent = new Set([...conversations.values()].flatMap(newest))
  const store = openStore(request)

  const candidates = oldestFirst.filter((one) => !untouchable.has(one) && !recent.has(one))
  for (const one of candidates) if (hasOutlived(one, now)) store.delete(one, 'point', 'outlived')
  const left = candidates.filter((one) => !hasOutlived(one, now))
  const inOrder = [...left.filter((one) => !isProtected(one)), ...left.filter(isProtected)]
  for (const one of inOrder) if (store.count() > cap) store.delete(one, 'point', 'over_cap')
  for (const one of inOrder) if (store.isOverBudget() && one.contents_deleted_at === null) store.delete(one, 'point', 'over_budget')
  const inactiveFirst = [...conversations.values()].toSorted((left, right) => byAge(last(left), last(right)))
  for (const one of inactiveFirst.flatMap(newest)) {
    if (store.isOverBudget() && !untouchable.has(one)) store.delete(one, 'contents', 'over_budget')
  }
  return { deletions: store.deletions, missing_bytes: store.missing() }
}

function openStore({ checkpoints, budget_bytes, sizeOf }: RetentionRequest) {
  const deletions: CheckpointDeletion[] = []
  const gone = new Set<StoredCheckpoint>()
  const users = new Map<number, number>()
  for (const { files } of checkpoints) for (const file of files) users.set(file, (users.get(file) ?? 0) + 1)
  let used = 0
  for (const file of users.keys()) used += sizeOf(file)
  let count = checkpoints.length
  return {
    deletions,
    count: () => count,
    isOverBudget: () => used > budget_bytes,
    missing: () => Math.max(0, used - budget_bytes),
    delete(one: StoredCheckpoint, deleted: CheckpointDeletion['deleted'], reason: DeletionReason): void {
      if (gone.has(one)) return
      gone.add(one)
      const before = used
      for (const file of one.files) {
        const others = (users.get(file) ?? 0) - 1
        users.set(file, others)
        if (others === 0) used -= sizeOf(file)
      }
      if (deleted === 'point') count -= 1
      deletions.push({ checkpoint_id: one.checkpoint_id, deleted, reason, freed_bytes: before - used })
    },
  }
}

/** The last few of a list that is sorted by age. */
function newest(oldestFirst: readonly StoredCheckpoint[]): StoredCheckpoint[] {
  return oldestFirst.slice(-limits.checkpoints_kept)
}

function last(oldestFirst: readonly StoredCheckpoint[]): StoredCheckpoint {
  const found = oldestFirst.at(-1)
  if (!found) throw new Error('a group of checkpoints is never empty')
  return found
}

function hasOutlived(checkpoint: RetainedCheckpoint, now: string): boolean {
  const age = Date.parse(now) - Date.parse(checkpoint.contents_deleted_at ?? checkpoint.created_at)
  return age > (isProtected(checkpoint) ? limits.checkpoint_protected_window_ms : limits.checkpoint_window_ms)
}

function byAge(left: RetainedCheckpoint, right: RetainedCheckpoint): number {
  return Date.parse(left.created_at) - Date.parse(right.created_at) || (left.checkpoint_id < right.checkpoint_id ? -1 : 1)
}
