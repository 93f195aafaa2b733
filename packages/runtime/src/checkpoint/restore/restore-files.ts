// One restore from request to result: staged, recorded, applied and reported.
import type { BackgroundSelection, ConflictChoice, RestoreCounts, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import type { FailureContract } from '@tandem/contract/failure'
import type { CheckpointCursor, CheckpointRow } from '../checkpoint-row.ts'
import { type CheckpointFailure, degradedRestore, diskErrorMessage, failed, toFailure } from '../failure.ts'
import type { CheckpointContext } from '../retention.ts'
import { historyOf, historyOfRuns, type MissingContents, missingContents } from '../run-history.ts'
import { type CheckpointRecords, isLeftOpen, toCheckpoint } from '../store.ts'
import { deleteUnrecorded } from '../take-checkpoint.ts'
import { missingNotes } from './missing-notes.ts'
import type { AppliedRestore, BackgroundPaths, ComparedRestore, UnrestoredEntry } from './staged-restore.ts'

export type RestoreOutcome =
  | {
      readonly outcome: 'restored'
      readonly counts: RestoreCounts
      readonly safety_checkpoint_id: string
      readonly cursor_seq: number
      readonly restored_paths: number
      readonly background: BackgroundPaths
      readonly left_alone: readonly RestorePreviewEntry[]
      readonly failure_contract?: FailureContract
      readonly duration_ms: number
    }
  | ({ readonly outcome: 'failed'; readonly conflicts: readonly RestorePreviewEntry[] } & CheckpointFailure)

/** What is reported about a restore when the files are restored. */
export interface RestoreFacts {
  readonly cursor_seq: number
  readonly failure_contract: FailureContract | null
  readonly restored_paths: number
  readonly conflicts: number
  readonly unrecoverable: number
  /** Paths that changed while background commands ran and were not selected. */
  readonly background_left: number
  readonly duration_ms: number
  /** Where the files are; a different folder if the workspace was moved. */
  readonly workspace: string
}

/** What happened since the point that is restored. */
export interface PassedPoints {
  readonly rows: readonly CheckpointRow[]
  readonly missing: MissingContents
}

/** Records the restore in its run, in the transaction that records that the files are restored: neither is ever true alone. */
export type RecordRestore = (restored: RestoreFacts) => void

/** What the user decided in advance. */
export interface RestoreChoices {
  readonly on_conflict: ConflictChoice
  readonly background: BackgroundSelection
  /** Only these paths, as they were before the first of these runs changed them; by run, where its folder is now. */
  readonly chosen?: { readonly paths: readonly string[]; readonly runs: ReadonlyMap<string, string> }
}

/** Everything that will be changed is saved first; the journal is written before it is applied. */
export async function restoreFiles(
  room: CheckpointContext & { readonly recorded: RecordRestore },
  row: CheckpointRow,
  { on_conflict, background, chosen }: RestoreChoices,
  cursor: CheckpointCursor,
): Promise<RestoreOutcome> {
  const { engine, records, store, crashpoint, recorded } = room
  const { clock, newId } = store
  const begun = clock.elapsed()
  const { checkpoint_id } = row
  const stages = stagesToRestore(records, row, chosen)
  const passed = { rows: stages, missing: missingContents(records, chosen ? [...chosen.runs.keys()] : [row.run_id], row.taken_scan) }
  const { workspace } = cursor.run_metadata
  const open = background === 'all' ? stages.find(isLeftOpen) : undefined
  if (open) return refusedRestore(stillRunning(open))
  const restore_id = newId()
  const safety_checkpoint_id = newId()
  const compared = comparedRestore(records, row, { on_conflict, background, ...(chosen ? { chosen } : {}) }, workspace)
  const request = { restore_id, checkpoint_id, safety_checkpoint_id, ...compared }
  const staged = await orNothing(room, restore_id, () => engine.stage(request))
  if (staged.outcome === 'running') {
    const running = stages.find((stage) => staged.checkpoint_ids.includes(stage.checkpoint_id)) ?? row
    return refusedRestore(stillRunning(running))
  }
  if (staged.outcome === 'conflict') {
    const message = `${staged.counts.conflict === 1 ? '1 path' : `${staged.counts.conflict} paths`} may have been changed outside this run since then; the first is ${staged.conflicts[0]?.path}`
    return refusedRestore(
      failed(
        'restore_conflict',
        'restore',
        'restore_conflict',
        message,
        checkpoint_id,
        'Check the preview and choose whether to keep or overwrite them.',
      ),
      staged.conflicts,
    )
  }
  if (staged.outcome === 'no_space') {
    const message = `the restore writes ${staged.needed} bytes, but the disk has only ${staged.free} bytes free`
    return refusedRestore(
      failed('storage_unavailable', 'restore', 'no_space', message, row.root, 'Free space on that disk and restore again.'),
    )
  }
  const { safety, root, counts, left_alone } = staged
  await orNothing(room, restore_id, async () =>
    records.add({
      ...{
        checkpoint_id: safety_checkpoint_id,
        cursor,
        name: 'safety_rollback_point',
        restore_kind: safety.kind,
        tool: null,
        opaque: false,
      },
      ...{ root, artifact_count: safety.artifact_count, artifact_bytes: safety.artifact_bytes, stored_bytes: safety.stored_bytes },
      ...{ pending_mutation_metadata: null, restored_checkpoint_id: checkpoint_id },
    }),
  )
  crashpoint('restore:recorded')
  const applied = await engine.apply(restore_id)
  let contract: FailureContract | null
  let duration_ms: number
  try {
    if (applied.outcome !== 'applied') {
      if (applied.outcome === 'rolled_back') {
        records.remove([safety_checkpoint_id])
        await engine.finish(restore_id)
      }
      return refusedRestore(notApplied(applied, checkpoint_id))
    }
    crashpoint('restore:unrecorded')
    duration_ms = Math.round(clock.elapsed() - begun)
    contract = recordRestore(room, row, passed, safety_checkpoint_id, applied, duration_ms, recorded)
  } catch (error) {
    // The outcome could not be recorded: the journal still exists, and the next start uses it.
    const message = diskErrorMessage(error)
    if (message === null) throw error
    return refusedRestore(notApplied({ outcome: 'stuck', message }, checkpoint_id))
  }
  crashpoint('restore:done')
  // Files and run are restored and recorded: a journal that cannot be deleted now is deleted at the next start.
  await engine.finish(restore_id).catch(() => undefined)
  const left = applied.left.map(({ entry }) => entry)
  return {
    outcome: 'restored',
    counts: recounted(counts, applied.left),
    safety_checkpoint_id,
    cursor_seq: toCheckpoint(row).run_loop_cursor.seq,
    restored_paths: applied.paths,
    background: staged.background,
    // Unexpected failures come first: the rest was already in the preview.
    left_alone: [...left, ...left_alone].slice(0, 200),
    ...(contract ? { failure_contract: contract } : {}),
    duration_ms,
  }
}

/**
 * The checkpoints of the background commands that must have ended before this is restored: all of them if their whole group is selected,
 * otherwise those that may have changed a selected path.
 */
export async function commandsToEnd(
  { records, engine }: Pick<CheckpointContext, 'records' | 'engine'>,
  row: CheckpointRow,
  choices: RestoreChoices,
  workspace: string,
): Promise<readonly string[] | CheckpointFailure> {
  if (choices.background === 'none') return []
  const open = stagesToRestore(records, row, choices.chosen).filter(isLeftOpen)
  if (choices.background === 'all' || open.length === 0) return open.map(({ checkpoint_id }) => checkpoint_id)
  try {
    return await engine.commandsToEnd(comparedRestore(records, row, choices, workspace))
  } catch (error) {
    return toFailure(error, 'restore', row.checkpoint_id)
  }
}

function stagesToRestore(records: CheckpointRecords, row: CheckpointRow, chosen: RestoreChoices['chosen']): CheckpointRow[] {
  return chosen ? records.stagesOf([...chosen.runs.keys()], row.taken_scan) : records.stagesFrom(row)
}

function comparedRestore(
  records: CheckpointRecords,
  row: CheckpointRow,
  { on_conflict, background, chosen }: RestoreChoices,
  workspace: string,
): ComparedRestore {
  if (!chosen) return { history: historyOf(records, row, workspace), on_conflict, background }
  const history = historyOfRuns(records, stagesToRestore(records, row, chosen), chosen.runs)
  return { history, on_conflict, background, paths: chosen.paths }
}

/** Nothing was changed yet: on an error, deletes what was saved and written for the restore. */
async function orNothing<Result>(room: CheckpointContext, restore_id: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await room.engine.finish(restore_id).catch(() => undefined)
    await deleteUnrecorded(room)
    throw error
  }
}

/** Records everything that is true when the files are restored, in one transaction. `passed`: as it was when the restore was staged. */
export function recordRestore(
  { records, store }: Pick<CheckpointContext, 'records' | 'store'>,
  row: CheckpointRow,
  { rows, missing }: PassedPoints,
  safety_checkpoint_id: string,
  { paths, counts, left }: Extract<AppliedRestore, { outcome: 'applied' }>,
  duration_ms: number,
  recorded: RecordRestore,
): FailureContract | null {
  const opaque = rows.find((row) => row.opaque === 1)
  const isOpaque = opaque !== undefined || missing.kept.some(({ by_command }) => by_command === 1)
  const { notes, isIncomplete } = missingNotes(missing)
  const isLossy = isIncomplete || (missing.kept.length > 0 && counts.unrecoverable > 0)
  const contract =
    isOpaque || isLossy
      ? degradedRestore(
          opaque?.root ?? row.root,
          [...(isLossy ? notes : []), ...unprotectedBy(rows)],
          left.map(({ entry }) => entry),
          isOpaque ? 'opaque_restore' : 'incomplete_history',
        )
      : null
  store.transaction(() => {
    const safety = records.get(safety_checkpoint_id)
    if (!safety) throw new Error(`the checkpoint ${safety_checkpoint_id} was deleted before its restore was recorded`)
    records.settle(safety_checkpoint_id, 'yes', 0)
    records.markRestored(row.checkpoint_id, contract?.taxonomy ?? row.taxonomy)
    const { background_left = 0, ...hindered } = counts
    const { conflict, unrecoverable } = recounted({ created: 0, changed: 0, deleted: 0, ...hindered }, left)
    const facts = { restored_paths: paths, conflicts: conflict, unrecoverable, background_left, duration_ms }
    recorded({
      cursor_seq: toCheckpoint(row).run_loop_cursor.seq,
      failure_contract: contract,
      ...facts,
      workspace: toCheckpoint(safety).run_metadata.workspace,
    })
  })
  return contract
}

/** Paths that could not be restored after all are counted as what they turned out to be. */
function recounted(staged: RestoreCounts, left: readonly UnrestoredEntry[]): RestoreCounts {
  const counts = { ...staged }
  for (const { entry, counted } of left) {
    counts[counted] -= 1
    counts[entry.change] += 1
  }
  return counts
}

export function refusedRestore(failure: CheckpointFailure, conflicts: readonly RestorePreviewEntry[] = []): RestoreOutcome {
  return { outcome: 'failed', conflicts, ...failure }
}

function notApplied({ outcome, message }: Exclude<AppliedRestore, { outcome: 'applied' }>, checkpoint_id: string): CheckpointFailure {
  const [reason_code, end, remedy] = {
    rolled_back: ['restore_rolled_back', 'all its changes were undone', 'Free space on the disk and restore again.'],
    stuck: ['restore_stuck', 'it was interrupted', 'Free space on the disk and start Tandem again: it finishes or undoes the restore.'],
  }[outcome] as [string, string, string]
  return failed('restore_failed', 'restore', reason_code, `${message}; ${end}`, checkpoint_id, remedy)
}

function stillRunning({ checkpoint_id, tool, processes }: CheckpointRow): CheckpointFailure {
  const pids = (JSON.parse(processes ?? '[]') as { pid: number }[]).map(({ pid }) => pid)
  const message = `the background command of ${tool ?? 'the call'} is still running${pids.length > 0 ? ` (pid ${pids.join(', ')})` : ''}, so its changes cannot be restored yet`
  const remedy = 'End the process or wait until it ends, then restore again. You can restore now without its changes.'
  return failed('restore_failed', 'restore', 'background_running', message, checkpoint_id, remedy)
}

function unprotectedBy(stages: readonly CheckpointRow[]): string[] {
  const texts = stages.flatMap((row) => toCheckpoint(row).pending_mutation_metadata?.unprotected ?? [])
  return [...new Set(texts)]
}
