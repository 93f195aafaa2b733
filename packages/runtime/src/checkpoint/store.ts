// The records of checkpoints. A pack is live as long as a row refers to it.
import type { CheckpointSummary, RetainedCheckpoint, RunCheckpoint } from '@tandem/contract/checkpoint'
import type { FailureTaxonomy } from '@tandem/contract/failure'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { CheckpointRow, NewCheckpoint, RetainedRow } from './checkpoint-row.ts'
import type { HistoryPoint } from './kept-changes/needs.ts'
import { type KeptChangesRecords, keptChangesRecords } from './kept-changes/store.ts'
import type { ProcessIdentity } from './process-identity.ts'

export interface CheckpointRecords {
  add(checkpoint: NewCheckpoint): CheckpointRow
  get(checkpoint_id: string): CheckpointRow | undefined
  /** Newest first. */
  page(run_id: string, chain: string | null, before: number, limit: number): CheckpointRow[]
  /** The checkpoint and the later ones of its run, in order, without those whose contents were deleted. */
  stagesFrom(row: CheckpointRow): CheckpointRow[]
  /** The checkpoints of calls and restores of these runs from a scan on, in order, without those whose contents were deleted. */
  stagesOf(run_ids: readonly string[], from?: number): CheckpointRow[]
  /** All checkpoints of these runs from a scan on, in order. */
  rowsOf(run_ids: readonly string[], from: number): CheckpointRow[]
  /** Whether contents of these runs were deleted. */
  hasDeleted(run_ids: readonly string[]): boolean
  /** Earlier checkpoints of its run whose background commands were still running when it was taken. */
  runningAt(row: CheckpointRow): CheckpointRow[]
  /** Checkpoints of calls of other runs that were open at some time between two scans. */
  othersBetween(run_ids: readonly string[], from: number, to: number): CheckpointRow[]
  lastLookAt(root: string): string | null
  /** The checkpoints of a run whose contents are stored, oldest first. */
  withContents(run_id: string): string[]
  /** Whether a call of the run named this path as a target, since a time. */
  hasTarget(run_id: string, path: string, since: number): boolean
  unsettled(): CheckpointRow[]
  settle(checkpoint_id: string, settled: 'yes' | 'late', stored_bytes: number): void
  /** The call returned and left a background command running: the checkpoint stays open. */
  leaveOpen(checkpoint_id: string, processes: readonly ProcessIdentity[], stored_bytes: number): void
  setProcesses(checkpoint_id: string, processes: readonly ProcessIdentity[]): void
  markRestored(checkpoint_id: string, taxonomy: FailureTaxonomy): void
  markPendingApproval(run_id: string, pending: 0 | 1): void
  markTaxonomy(checkpoint_id: string, taxonomy: FailureTaxonomy): void
  ofRuns(run_ids: readonly string[]): readonly string[]
  remove(checkpoint_ids: readonly string[]): void
  /** The rows are kept, without their packs. */
  removeContents(checkpoint_ids: readonly string[]): void
  retained(): RetainedRow[]
  historyPoints(): HistoryPoint[]
  packs(): string[]
  /** What is known about the changes of points whose contents were deleted, and of calls without a point. */
  readonly kept: KeptChangesRecords
}

export function checkpointRecords(store: Store): CheckpointRecords {
  const { sql, transaction, clock } = store
  const rows = (found: unknown) => found as CheckpointRow[]

  /** Starts again at 1 after a wipe, which leaves no point to compare with. */
  function nextScan(): number {
    const row = sql.get`
      INSERT INTO meta (name, value) VALUES ('checkpoint_scan', '1')
      ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) RETURNING value`
    return Number(row?.value)
  }

  function chainOf(run_id: string, checkpoint_id: string): { chain: string; version: number; parent: string | null } {
    const last = sql.get<CheckpointRow>`SELECT * FROM runtime_run_checkpoints WHERE run_id = ${run_id} ORDER BY no DESC LIMIT 1`
    if (!last) return { chain: checkpoint_id, version: 1, parent: null }
    // A restore ends its chain: later checkpoints are based on what was restored.
    if (last.restored_checkpoint_id !== null) return { chain: checkpoint_id, version: 1, parent: last.restored_checkpoint_id }
    return { chain: last.recovery_chain_id, version: last.recovery_chain_version + 1, parent: last.checkpoint_id }
  }

  function get(checkpoint_id: string): CheckpointRow | undefined {
    return sql.get<CheckpointRow>`SELECT * FROM runtime_run_checkpoints WHERE checkpoint_id = ${checkpoint_id}`
  }

  function addPack(checkpoint_id: string, side: 'before' | 'after' | 'end', pack: string, stored_bytes: number): void {
    sql.run`INSERT OR REPLACE INTO runtime_checkpoint_artifacts (checkpoint_id, side, pack, stored_bytes)
      VALUES (${checkpoint_id}, ${side}, ${pack}, ${stored_bytes})`
  }

  return {
    add(one) {
      return transaction(() => {
        const { checkpoint_id, cursor } = one
        const { chain, version, parent } = chainOf(cursor.run_id, checkpoint_id)
        const pending = one.pending_mutation_metadata === null ? null : JSON.stringify(one.pending_mutation_metadata)
        const scan = nextScan()
        const settled = isOnDemand(one)
        sql.run`INSERT INTO runtime_run_checkpoints (checkpoint_id, run_id, agent_id, conversation_id, name, restore_kind, tool,
            recovery_chain_id, recovery_chain_version, parent_checkpoint_id, artifact_count, artifact_bytes, opaque, settled,
            restored_checkpoint_id, root, run_metadata, run_loop_cursor, conversation_slice, tool_state, approval_queue,
            pending_approval, pending_mutation_metadata, memory_flush_markers, recovery_hints, created_at,
            taken_scan, settled_scan)
          VALUES (${checkpoint_id}, ${cursor.run_id}, ${cursor.agent_id}, ${cursor.conversation_id}, ${one.name}, ${one.restore_kind}, ${one.tool},
            ${chain}, ${version}, ${parent}, ${one.artifact_count}, ${one.artifact_bytes}, ${one.opaque ? 1 : 0}, ${settled ? 'yes' : 'no'},
            ${one.restored_checkpoint_id}, ${one.root}, ${JSON.stringify(cursor.run_metadata)}, ${JSON.stringify(cursor.run_loop_cursor)},
            ${JSON.stringify(cursor.conversation_slice)}, ${JSON.stringify(cursor.tool_state)}, ${JSON.stringify(cursor.approval_queue)},
            ${cursor.approval_queue.length > 0 ? 1 : 0}, ${pending}, ${JSON.stringify(cursor.memory_flush_markers)}, ${JSON.stringify(cursor.recovery_hints)}, ${clock.now()},
            ${scan}, ${settled ? scan : null})`
        addPack(checkpoint_id, 'before', packBefore(checkpoint_id), one.stored_bytes)
        const row = get(checkpoint_id)
        if (!row) throw new Error(`the checkpoint ${checkpoint_id} is missing right after it was written`)
        return row
      })
    },
    get,
    page(run_id, chain, before, limit) {
      return rows(sql.all`SELECT * FROM runtime_run_checkpoints
        WHERE run_id = ${run_id} AND no < ${before} AND (${chain} IS NULL OR recovery_chain_id = ${chain}) ORDER BY no DESC LIMIT ${limit}`)
    },
    stagesFrom({ run_id, no }) {
      return rows(sql.all`SELECT * FROM runtime_run_checkpoints 
        WHERE run_id = ${run_id} AND no >= ${no} AND contents_deleted_at IS NULL ORDER BY no`)
    },
    runningAt({ run_id, no, taken_scan }) {
      return rows(sql.all`SELECT * FROM runtime_run_checkpoints WHERE run_id = ${run_id} AND no < ${no} AND returned_scan IS NOT NULL AND contents_deleted_at IS NULL
        AND (settled_scan IS NULL OR settled_scan > ${taken_scan}) ORDER BY no`)
    },
    stagesOf(run_ids, from = 0) {
      return rows(sql.all`SELECT * FROM runtime_run_checkpoints
        WHERE run_id IN (SELECT value FROM json_each(${JSON.stringify(run_ids)})) AND taken_scan >= ${from}
          AND contents_deleted_at IS NULL AND NOT (tool IS NULL AND restored_checkpoint_id IS NULL) ORDER BY taken_scan`)
    },
    rowsOf(run_ids, from) {
      return rows(sql.all`SELECT * FROM runtime_run_checkpoints
        WHERE run_id IN (SELECT value FROM json_each(${JSON.stringify(run_ids)})) AND taken_scan >= ${from} ORDER BY taken_scan`)
    },
    hasDeleted(run_ids) {
      const row = sql.get`SELECT 1 AS found FROM runtime_run_checkpoints
        WHERE run_id IN (SELECT value FROM json_each(${JSON.stringify(run_ids)}))
          AND (contents_deleted_at IS NOT NULL OR (recovery_chain_version > 1 AND parent_checkpoint_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM runtime_run_checkpoints p WHERE p.checkpoint_id = runtime_run_checkpoints.parent_checkpoint_id))) LIMIT 1`
      return row !== undefined
    },
    othersBetween(run_ids, from, to) {
      // SQLite has no integer Infinity.
      const last = Math.min(to, Number.MAX_SAFE_INTEGER)
      return rows(sql.all`SELECT * FROM runtime_run_checkpoints
        WHERE run_id NOT IN (SELECT value FROM json_each(${JSON.stringify(run_ids)})) AND taken_scan < ${last}
        AND (settled_scan IS NULL OR settled_scan > ${from}) AND NOT (tool IS NULL AND restored_checkpoint_id IS NULL) ORDER BY taken_scan`)
    },
    lastLookAt(root) {
      const row = sql.get`SELECT checkpoint_id FROM runtime_run_checkpoints
        WHERE root = ${root} AND contents_deleted_at IS NULL AND (opaque = 1 OR tool IS NULL AND restored_checkpoint_id IS NULL)
        ORDER BY no DESC LIMIT 1`
      return row ? String(row.checkpoint_id) : null
    },
    withContents: (run_id) =>
      sql.all`SELECT checkpoint_id FROM runtime_run_checkpoints WHERE run_id = ${run_id} AND contents_deleted_at IS NULL ORDER BY no`.map(
        ({ checkpoint_id }) => String(checkpoint_id),
      ),
    hasTarget(run_id, path, since) {
      const row = sql.get`SELECT 1 AS found FROM runtime_run_checkpoints WHERE run_id = ${run_id} AND created_at >= ${since}
        AND EXISTS (SELECT 1 FROM json_each(pending_mutation_metadata, '$.targets') WHERE value = ${path}) LIMIT 1`
      return row !== undefined
    },
    unsettled: () => rows(sql.all`SELECT * FROM runtime_run_checkpoints WHERE settled = 'no' ORDER BY no`),
    settle(checkpoint_id, settled, stored_bytes) {
      transaction(() => {
        const isBackground = get(checkpoint_id)?.returned_scan != null
        sql.run`UPDATE runtime_run_checkpoints SET settled = ${settled}, settled_scan = ${nextScan()}, closed_at = ${clock.now()}
          WHERE checkpoint_id = ${checkpoint_id}`
        if (isBackground) addPack(checkpoint_id, 'end', packAtEnd(checkpoint_id), stored_bytes)
        else addPack(checkpoint_id, 'after', packAfter(checkpoint_id), stored_bytes)
      })
    },
    leaveOpen(checkpoint_id, processes, stored_bytes) {
      transaction(() => {
        sql.run`UPDATE runtime_run_checkpoints SET returned_scan = ${nextScan()}, returned_at = ${clock.now()},
          processes = ${JSON.stringify(processes)} WHERE checkpoint_id = ${checkpoint_id}`
        addPack(checkpoint_id, 'after', packAfter(checkpoint_id), stored_bytes)
      })
    },
    setProcesses(checkpoint_id, processes) {
      sql.run`UPDATE runtime_run_checkpoints SET processes = ${JSON.stringify(processes)} WHERE checkpoint_id = ${checkpoint_id}`
    },
    markRestored(checkpoint_id, taxonomy) {
      sql.run`UPDATE runtime_run_checkpoints SET restored = 1, taxonomy = ${taxonomy} WHERE checkpoint_id = ${checkpoint_id}`
    },
    markPendingApproval(run_id, pending) {
      sql.run`UPDATE runtime_run_checkpoints SET pending_approval = ${pending} WHERE run_id = ${run_id} AND pending_approval <> ${pending}`
    },
    markTaxonomy(checkpoint_id, taxonomy) {
      sql.run`UPDATE runtime_run_checkpoints SET taxonomy = ${taxonomy} WHERE checkpoint_id = ${checkpoint_id}`
    },
    ofRuns: (run_ids) =>
      sql.all`SELECT checkpoint_id FROM runtime_run_checkpoints WHERE run_id IN (SELECT value FROM json_each(${JSON.stringify(run_ids)}))`.map(
        ({ checkpoint_id }) => String(checkpoint_id),
      ),
    remove(checkpoint_ids) {
      sql.run`DELETE FROM runtime_run_checkpoints WHERE checkpoint_id IN (SELECT value FROM json_each(${JSON.stringify(checkpoint_ids)}))`
    },
    removeContents(checkpoint_ids) {
      const ids = JSON.stringify(checkpoint_ids)
      transaction(() => {
        sql.run`UPDATE runtime_run_checkpoints SET contents_deleted_at = ${clock.now()} WHERE checkpoint_id IN (SELECT value FROM json_each(${ids}))`
        sql.run`DELETE FROM runtime_checkpoint_artifacts WHERE checkpoint_id IN (SELECT value FROM json_each(${ids}))`
      })
    },
    retained() {
      const found = sql.all<Omit<RetainedRow, 'packs'> & { readonly packs: string }>`
        SELECT c.checkpoint_id, c.conversation_id, c.created_at, c.restored, c.pending_approval, c.taxonomy, c.contents_deleted_at,
          (SELECT json_group_array(a.pack) FROM runtime_checkpoint_artifacts a WHERE a.checkpoint_id = c.checkpoint_id) AS packs
        FROM runtime_run_checkpoints c ORDER BY c.no`
      return found.map((row) => ({ ...row, packs: JSON.parse(row.packs) }))
    },
    historyPoints() {
      const found = sql.all<Pick<CheckpointRow, 'checkpoint_id' | 'run_id' | 'taken_scan' | 'settled_scan' | 'contents_deleted_at'>>`
        SELECT checkpoint_id, run_id, taken_scan, settled_scan, contents_deleted_at FROM runtime_run_checkpoints`
      return found.map(({ checkpoint_id, run_id, taken_scan, settled_scan, contents_deleted_at }) => {
        return {
          checkpoint_id,
          run_id,
          from: taken_scan,
          to: settled_scan ?? Number.POSITIVE_INFINITY,
          whole: contents_deleted_at === null,
        }
      })
    },
    kept: keptChangesRecords(store, nextScan),
    packs: () => sql.all`SELECT pack FROM runtime_checkpoint_artifacts`.map(({ pack }) => String(pack)),
  }
}

export function toSummary(row: CheckpointRow): CheckpointSummary {
  return {
    ...toRetained(row),
    run_id: row.run_id,
    agent_id: row.agent_id,
    name: row.name,
    restore_kind: row.restore_kind,
    tool: row.tool,
    targets: toMutation(row)?.targets.slice(0, 3) ?? [],
    recovery_chain_id: row.recovery_chain_id,
    recovery_chain_version: row.recovery_chain_version,
    parent_checkpoint_id: row.parent_checkpoint_id,
    artifact_count: row.artifact_count,
    artifact_bytes: row.artifact_bytes,
    background: toBackground(row),
  }
}

export function toRetained(row: Omit<RetainedRow, 'packs'>): RetainedCheckpoint {
  return {
    checkpoint_id: row.checkpoint_id,
    conversation_id: row.conversation_id,
    created_at: timestamp(row.created_at),
    restored: row.restored === 1,
    pending_approval: row.pending_approval === 1,
    taxonomy: row.taxonomy,
    contents_deleted_at: row.contents_deleted_at === null ? null : timestamp(row.contents_deleted_at),
  }
}

export function toCheckpoint(row: CheckpointRow): RunCheckpoint {
  return {
    ...toSummary(row),
    run_metadata: JSON.parse(row.run_metadata),
    run_loop_cursor: JSON.parse(row.run_loop_cursor),
    conversation_slice: JSON.parse(row.conversation_slice),
    tool_state: JSON.parse(row.tool_state),
    approval_queue: JSON.parse(row.approval_queue),
    pending_mutation_metadata: toMutation(row),
    memory_flush_markers: JSON.parse(row.memory_flush_markers),
    recovery_hints: JSON.parse(row.recovery_hints),
  }
}

function toBackground({ returned_at, closed_at, settled }: CheckpointRow): CheckpointSummary['background'] {
  if (returned_at === null) return null
  return { returned_at: timestamp(returned_at), closed_at: closed_at === null ? null : timestamp(closed_at), late: settled === 'late' }
}

function toMutation({ pending_mutation_metadata: text }: CheckpointRow): RunCheckpoint['pending_mutation_metadata'] {
  return text === null ? null : JSON.parse(text)
}

/** Its call has returned, and the background command that the call started has not ended. */
export function isLeftOpen({ settled, returned_scan }: Pick<CheckpointRow, 'settled' | 'returned_scan'>): boolean {
  return settled === 'no' && returned_scan !== null
}

/** It belongs to neither a call nor a restore: a user requested it. */
export function isOnDemand({ tool, restored_checkpoint_id }: Pick<CheckpointRow, 'tool' | 'restored_checkpoint_id'>): boolean {
  return tool === null && restored_checkpoint_id === null
}

export function packBefore(checkpoint_id: string): string {
  return `${checkpoint_id}.before`
}

export function packAfter(checkpoint_id: string): string {
  return `${checkpoint_id}.after`
}

/** The pack with the state when the background command of its call ended. */
export function packAtEnd(checkpoint_id: string): string {
  return `${checkpoint_id}.end`
}
