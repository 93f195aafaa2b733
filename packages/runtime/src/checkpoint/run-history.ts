// What the records show about the time since a checkpoint: what can be loaded from packs, what was kept, and what is missing.
import type { CheckpointRow } from './checkpoint-row.ts'
import { unpackChanges } from './kept-changes/kept-changes.ts'
import { type KeptChangesRow, toKeptRecord } from './kept-changes/store.ts'
import type { GapRef, History, StageRef } from './restore/history.ts'
import type { Relocation } from './restore/relocation.ts'
import { type CheckpointRecords, isOnDemand, toCheckpoint } from './store.ts'

/** A time in which a run changed something that is not known exactly. `kept`: what is known about it. */
export interface Gap {
  readonly run_id: string
  readonly from: number
  readonly to: number
  readonly kept: KeptChangesRow | null
}

/** Of runs, from a scan on. */
export interface MissingContents {
  /** Points whose contents were deleted: their changes are known. */
  readonly kept: readonly KeptChangesRow[]
  readonly gaps: readonly Gap[]
}

type HistoryRecords = Pick<CheckpointRecords, 'rowsOf' | 'stagesFrom' | 'runningAt' | 'othersBetween' | 'kept'>

/** `before`: only what was recorded before this scan. */
export function missingContents(
  { rowsOf, kept: records }: Pick<HistoryRecords, 'rowsOf' | 'kept'>,
  run_ids: readonly string[],
  from: number,
  before = Number.POSITIVE_INFINITY,
): MissingContents {
  const all = records.keptOf(run_ids, from).filter(({ taken_scan }) => taken_scan < before)
  const known = all.filter(isKnown)
  const unknown = all.filter((row) => !isKnown(row))
  const ids = new Set(all.map(({ checkpoint_id }) => checkpoint_id))
  const rows = rowsOf(run_ids, from).filter(({ checkpoint_id, taken_scan }) => taken_scan < before && !ids.has(checkpoint_id))
  const emptied = rows.filter((row) => row.contents_deleted_at !== null && !isOnDemand(row))
  const gaps = [
    ...unknown.map((row) => gapOf(row, row)),
    ...emptied.map((row) => gapOf(row, null)),
    ...run_ids.flatMap((run_id) => unlinked([...rows, ...all.filter(({ cause }) => cause === 'deleted')].filter(isOf(run_id)))),
  ]
  return { kept: known, gaps }
}

/** Everything recorded about the time since a checkpoint. `workspace`: where the folder of the run is now. */
export function historyOf(records: HistoryRecords, row: CheckpointRow, workspace: string): History {
  const { run_id, taken_scan } = row
  const stages = records.stagesFrom(row)
  const earlier = records.runningAt(row)
  const still = records.kept.keptRunningAt(run_id, taken_scan)
  const { kept, gaps } = missingContents(records, [run_id], taken_scan)
  const at = toCheckpoint(row).run_metadata.workspace
  const here = (one: CheckpointRow | KeptChangesRow) => toStageRef(records, one, workspace)
  const history = {
    stages: inOrder([...stages, ...kept].map(here)),
    earlier: inOrder([...earlier, ...still.filter(isKnown)].map(here)),
    gaps: [...gaps, ...still.filter((one) => !isKnown(one)).map((one) => gapOf(one, one))].map((gap) => toGap(records, gap, workspace)),
  }
  const others = othersOf(records, [run_id], history, (theirs) => (theirs === null || theirs === at ? workspace : theirs), at)
  return { ...history, others }
}

/** The same for several runs: their calls in order of time. `runs`: by run, where its folder is now. */
export function historyOfRuns(
  records: Pick<HistoryRecords, 'othersBetween' | 'rowsOf' | 'kept'>,
  rows: readonly CheckpointRow[],
  runs: ReadonlyMap<string, string>,
): History {
  const ids = [...runs.keys()]
  const [first] = rows
  if (!first) return { stages: [], earlier: [], others: [], gaps: [] }
  const { kept, gaps } = missingContents(records, ids, first.taken_scan)
  const here = (one: CheckpointRow | KeptChangesRow) => toStageRef(records, one, runs.get(one.run_id ?? '') ?? workspaceOf(one) ?? '')
  const history = {
    stages: inOrder([...rows, ...kept].map(here)),
    earlier: [],
    gaps: gaps.map((gap) => toGap(records, gap, runs.get(gap.run_id) ?? '')),
  }
  const { workspace } = toCheckpoint(first).run_metadata
  return { ...history, others: othersOf(records, ids, history, (theirs) => theirs ?? runs.get(first.run_id) ?? workspace, workspace) }
}

/** `placeOf`: where a folder of another run is now. `at`: what was recorded without its folder was recorded in this one. */
function othersOf(
  records: Pick<HistoryRecords, 'othersBetween' | 'kept'>,
  run_ids: readonly string[],
  { stages, earlier }: Pick<History, 'stages' | 'earlier'>,
  placeOf: (workspace: string | null) => string,
  at: string,
): StageRef[] {
  const all = [...stages, ...earlier]
  const from = Math.min(...all.map((stage) => stage.from))
  const to = Math.max(...all.map((stage) => stage.to))
  const kept = records.kept.keptBetween(run_ids, from, to)
  const ids = new Set(kept.map(({ checkpoint_id }) => checkpoint_id))
  const rows = records.othersBetween(run_ids, from, to).filter(({ checkpoint_id }) => !ids.has(checkpoint_id))
  return inOrder([...rows, ...kept].map((one) => toStageRef(records, one, placeOf(workspaceOf(one)), at)))
}

function toStageRef(
  records: Pick<HistoryRecords, 'kept'>,
  row: CheckpointRow | KeptChangesRow,
  workspace: string,
  at = workspace,
): StageRef {
  const { checkpoint_id, created_at: taken_at, taken_scan, settled_scan, returned_scan } = row
  const from = workspaceOf(row) ?? at
  const to = settled_scan ?? Number.POSITIVE_INFINITY
  const spans = { from: taken_scan, to, background: returned_scan === null ? null : { from: returned_scan, to } }
  const moved = from === workspace ? null : { from, to: workspace }
  if (!('cause' in row)) {
    const settled = isOnDemand(row) ? 'no_call' : row.settled
    return { checkpoint_id, taken_at, settled, by: row.opaque === 1 ? 'command' : 'call', ...spans, moved }
  }
  const kept = toKeptRecord(row, records.kept)
  return { checkpoint_id, taken_at, settled: row.settled, by: row.by_command === 1 ? 'command' : 'call', ...spans, moved, kept }
}

function toGap(records: Pick<HistoryRecords, 'kept'>, { from, to, kept }: Gap, workspace: string): GapRef {
  const moved: Relocation | null =
    kept === null || kept.workspace === null || kept.workspace === workspace ? null : { from: kept.workspace, to: workspace }
  return { from, to, kept: kept && toKeptRecord(kept, records.kept), moved }
}

function gapOf({ run_id, taken_scan, settled_scan }: CheckpointRow | KeptChangesRow, kept: KeptChangesRow | null): Gap {
  return { run_id: run_id ?? '', from: taken_scan, to: settled_scan ?? Number.POSITIVE_INFINITY, kept }
}

function workspaceOf(row: CheckpointRow | KeptChangesRow): string | null {
  return 'cause' in row ? row.workspace : toCheckpoint(row).run_metadata.workspace
}

function isKnown({ changes }: KeptChangesRow): boolean {
  return unpackChanges({ changes })?.kind === 'states'
}

function isOf(run_id: string) {
  return (row: CheckpointRow | KeptChangesRow): boolean => row.run_id === run_id
}

/** Points that the chain names and that left no record: earlier versions deleted them without one. */
function unlinked(points: readonly (CheckpointRow | KeptChangesRow)[]): Gap[] {
  const ordered = points.toSorted((left, right) => left.taken_scan - right.taken_scan)
  return ordered.flatMap((point, index) => {
    const before = ordered[index - 1]
    if (!before) return []
    const { parent_checkpoint_id } = point
    if (parent_checkpoint_id === before.checkpoint_id) return []
    // A restore begins a new chain, from what was restored.
    if (before.restored_checkpoint_id !== null && parent_checkpoint_id === before.restored_checkpoint_id) return []
    return [{ run_id: point.run_id ?? '', from: before.settled_scan ?? before.taken_scan, to: point.taken_scan, kept: null }]
  })
}

function inOrder(stages: readonly StageRef[]): StageRef[] {
  return stages.toSorted((left, right) => left.from - right.from)
}
