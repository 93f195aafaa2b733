// Keeps what restores of other points need of points that are deleted, and drops it when none needs it any more.
import type { CheckpointRow } from '../checkpoint-row.ts'
import type { Engine } from '../engine.ts'
import { type CheckpointRecords, isOnDemand, toCheckpoint } from '../store.ts'
import { hashed, packChanges, unpackChanges } from './kept-changes.ts'
import { type HistoryPoint, neededPoints } from './needs.ts'
import type { KeptChangesRow } from './store.ts'

/** What a deletion writes, in its transaction. */
export interface Keeping {
  readonly kept: readonly KeptChangesRow[]
  readonly dropped: readonly string[]
}

interface Ports {
  readonly records: Pick<CheckpointRecords, 'get' | 'historyPoints' | 'kept'>
  readonly engine: Pick<Engine, 'keptChanges'>
}

/** `doomed`: points that lose their contents or are deleted. Reads their packs, so it comes before the deletion. */
export async function keepingFor({ records, engine }: Ports, doomed: readonly string[]): Promise<Keeping> {
  const gone = new Set(doomed)
  const existing = records.kept.all()
  const needed = neededAfter(records, existing, (point) => (gone.has(point.checkpoint_id) ? { ...point, whole: false } : point))
  const known = new Set(existing.map(({ checkpoint_id }) => checkpoint_id))
  const kept = await keptFrom(
    { records, engine },
    doomed.filter((id) => needed.has(id) && !known.has(id)),
  )
  return { kept, dropped: unneeded(existing, needed) }
}

/** For runs that are erased: no name of theirs stays, not even their ids. */
export async function keepingForErased({ records, engine }: Ports, run_ids: readonly string[], newId: () => string): Promise<Keeping> {
  const erased = new Set(run_ids)
  const isErased = ({ run_id }: Pick<HistoryPoint, 'run_id'>) => run_id !== null && erased.has(run_id)
  const existing = records.kept.all()
  const needed = neededAfter(records, existing, (point) => (isErased(point) ? { ...point, run_id: null, whole: false } : point))
  const known = new Set(existing.map(({ checkpoint_id }) => checkpoint_id))
  const points = records
    .historyPoints()
    .filter((point) => isErased(point) && needed.has(point.checkpoint_id) && !known.has(point.checkpoint_id))
  const fresh = await keptFrom(
    { records, engine },
    points.map(({ checkpoint_id }) => checkpoint_id),
  )
  const before = records.kept.keptOf(run_ids, 0)
  const key = records.kept.key()
  const anonymous = [...fresh, ...before.filter(({ checkpoint_id }) => needed.has(checkpoint_id))].map((row): KeptChangesRow => {
    const changes = unpackChanges(row)
    const nameless = { run_id: null, workspace: null, parent_checkpoint_id: null, restored_checkpoint_id: null }
    return { ...row, ...nameless, checkpoint_id: newId(), changes: changes && packChanges(hashed(changes, key)) }
  })
  return { kept: anonymous, dropped: [...unneeded(existing, needed), ...before.map(({ checkpoint_id }) => checkpoint_id)] }
}

/** In the transaction that deletes the points. */
export function carryOutKeeping({ kept: records }: Pick<CheckpointRecords, 'kept'>, { kept, dropped }: Keeping): void {
  records.drop(dropped)
  for (const row of kept) records.keep(row)
}

function neededAfter(
  records: Pick<CheckpointRecords, 'historyPoints'>,
  kept: readonly Omit<KeptChangesRow, 'changes'>[],
  after: (point: HistoryPoint) => HistoryPoint,
): ReadonlySet<string> {
  const points = new Map<string, HistoryPoint>()
  for (const { checkpoint_id, run_id, taken_scan: from, settled_scan } of kept) {
    points.set(checkpoint_id, { checkpoint_id, run_id, from, to: settled_scan ?? Number.POSITIVE_INFINITY, whole: false })
  }
  for (const point of records.historyPoints()) points.set(point.checkpoint_id, point)
  return neededPoints([...points.values()].map(after))
}

/** A call that has not ended may still overlap with a point. */
function unneeded(kept: readonly Omit<KeptChangesRow, 'changes'>[], needed: ReadonlySet<string>): string[] {
  const over = kept.filter(({ checkpoint_id, settled_scan }) => settled_scan !== null && !needed.has(checkpoint_id))
  return over.map(({ checkpoint_id }) => checkpoint_id)
}

async function keptFrom({ records, engine }: Ports, checkpoint_ids: readonly string[]): Promise<KeptChangesRow[]> {
  const rows = checkpoint_ids.flatMap((id) => records.get(id) ?? [])
  const stored = rows.filter(({ contents_deleted_at }) => contents_deleted_at === null)
  const found = stored.length === 0 ? [] : await engine.keptChanges(stored.map(scansOf))
  const changes = new Map(stored.map(({ checkpoint_id }, index) => [checkpoint_id, found[index] ?? null]))
  return rows.map((row) => ({
    ...{ checkpoint_id: row.checkpoint_id, run_id: row.run_id, cause: 'deleted', by_command: row.opaque, settled: row.settled },
    workspace: toCheckpoint(row).run_metadata.workspace,
    ...{ parent_checkpoint_id: row.parent_checkpoint_id, restored_checkpoint_id: row.restored_checkpoint_id },
    ...{ taken_scan: row.taken_scan, returned_scan: row.returned_scan, settled_scan: row.settled_scan, created_at: row.created_at },
    changes: changes.get(row.checkpoint_id) ?? null,
  }))
}

/** Which scans a checkpoint has. */
export interface SavedScans {
  readonly checkpoint_id: string
  readonly has: 'no_call' | 'call' | 'background'
}

function scansOf(row: CheckpointRow): SavedScans {
  const has = isOnDemand(row) ? 'no_call' : row.returned_scan === null ? 'call' : 'background'
  return { checkpoint_id: row.checkpoint_id, has }
}
