// The interface of checkpoints for the pipeline and the run loop: plans, takes, stores and restores them. Of a run, it knows only a cursor.
import type {
  BackgroundSelection,
  CheckpointSummary,
  ConflictChoice,
  RestoreChange,
  RestoreCounts,
  RestoreGroup,
  RestorePreviewEntry,
  RunCheckpoint,
} from '@tandem/contract/checkpoint'
import type { FailureContract } from '@tandem/contract/failure'
import { limits } from '@tandem/contract/limits'
import type { Store } from '../store/store.ts'
import { openRunChanges, type RunChanges } from './changes/run-changes.ts'
import type { CheckpointCursor, CheckpointRow } from './checkpoint-row.ts'
import { type ArtifactPage, artifactPage } from './content/artifact.ts'
import { type Crashpoint, crashPoint } from './crashpoint.ts'
import type { Engine } from './engine.ts'
import { type CheckpointFailure, contentsDeleted, failed, toFailure, unknownCheckpoint } from './failure.ts'
import type { FileCount, Following } from './file-count.ts'
import { type OnDemand, type OpenCall, takeOnDemand } from './on-demand.ts'
import { type CheckpointedCall, type CheckpointPlan, isWeaker, withoutRecoveryPoint } from './plan.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { defaultQuota } from './quota.ts'
import type { ListedChanges } from './restore/changes.ts'
import type { StageRef } from './restore/history.ts'
import { notesFor } from './restore/missing-notes.ts'
import { needsRecovery, type RecoveredRecord, type Recovery, recoverCheckpoints } from './restore/recovery.ts'
import {
  commandsToEnd,
  type RecordRestore,
  type RestoreChoices,
  type RestoreOutcome,
  refusedRestore,
  restoreFiles,
} from './restore/restore-files.ts'
import type { WantedContent } from './restore/saved-content.ts'
import { type DeletedCheckpoint, type DeletedRecord, eraseRuns, isRetentionDue, retain } from './retention.ts'
import { historyOf, missingContents } from './run-history.ts'
import { type PlannedCall, scopeOf } from './scan/scope.ts'
import { checkpointRecords, isLeftOpen, toCheckpoint, toSummary } from './store.ts'
import { fitsCompressed, fitsUncompressed, type TakenCheckpoint, takeCheckpoint } from './take-checkpoint.ts'
import { openUnprotectedCalls, type UnprotectedCalls } from './unprotected-calls.ts'

export interface Checkpoints {
  /** What would and would not be protected, before a call is approved; null for a call that changes nothing on disk. */
  plan(call: PlannedCall, following?: Following): Promise<Planned>
  /** A plan that became weaker while its approval was pending must be shown again. */
  isWeaker(earlier: CheckpointPlan, now: CheckpointPlan): boolean
  /** Called before the intent is written. `store_full` needs an approval that mentions it; `failed` stops the call. */
  take(call: CheckpointedCall, cursor: CheckpointCursor, counted?: FileCount): Promise<TakenForCall>
  /** Takes a recovery point that a user requests. Refused while a call of the run is changing files. */
  takeOnDemand(wanted: OnDemand): Promise<TakenCheckpoint>
  /** Called after the call, however it ended: records how it left the files, so that later changes of others are recognized. */
  settle(checkpoint_id: string, counted?: FileCount): Promise<CheckpointFailure | null>
  /** What the call of a settled checkpoint changed; null if that is unknown, or more than `most` paths. */
  changes(checkpoint_id: string, most: number): Promise<ListedChanges | null>
  /** The content that a checkpoint of the run saved of a path, when the file had this size and time; null if none did. */
  savedContent(run_id: string, wanted: WantedContent): Promise<Uint8Array | null>
  /** Whether a call of the run named this path as a target, since a time. Commands may change others. */
  hasTarget(run_id: string, path: string, since: number): boolean
  /**
   * For a call that left a background command running: records how the call left the files. The checkpoint stays open until `closePoint`.
   */
  leaveOpen(checkpoint_id: string, processes: readonly ProcessIdentity[]): Promise<CheckpointFailure | null>
  setProcesses(checkpoint_id: string, processes: readonly ProcessIdentity[]): void
  /** Called when the background command has ended; `late`: its end was not seen. `recorded` is called in the transaction that closes it. */
  closePoint(checkpoint_id: string, seen: 'yes' | 'late', recorded: (point: ClosedPoint) => void): Promise<CheckpointFailure | null>
  /** Points whose background commands are not known to have ended. */
  openPoints(): readonly OpenPoint[]
  /** The checkpoints of the background commands that must end before this is restored. `workspace`: where the folder of the run is now. */
  commandsToEnd(checkpoint_id: string, choices: RestoreChoices, workspace: string): Promise<readonly string[] | CheckpointFailure>
  preview(checkpoint_id: string, page: PreviewParams): Promise<RestorePreview>
  /** `cursor`: the current position of the run, for the checkpoint that undoes the restore. */
  restore(
    checkpoint_id: string,
    on_conflict: ConflictChoice,
    cursor: CheckpointCursor,
    recorded?: RecordRestore,
    background?: BackgroundSelection,
    chosen?: RestoreChoices['chosen'],
  ): Promise<RestoreOutcome>
  readonly ofRuns: RunChanges
  readonly unprotected: UnprotectedCalls
  list(run_id: string, recovery_chain_id: string | null, page: PageParams): PageOf<CheckpointSummary>
  get(checkpoint_id: string): RunCheckpoint | undefined
  artifacts(checkpoint_id: string, page: PageParams): Promise<ArtifactPage | CheckpointFailure>
  /** While an approval of their run is pending, checkpoints are kept longer, so that a late answer does not rule out a restore. */
  holdForApproval(run_id: string): void
  releaseFromApproval(run_id: string): void
  /** For a call that failed: its checkpoint is kept longer. */
  markFailure(checkpoint_id: string, failure: FailureContract): void
  /** Deletes checkpoints that are too old, over the maximum number or over the budget. */
  retain(): Promise<readonly DeletedCheckpoint[]>
  /** Deletes all recovery points of runs that are erased. False if one of them is still in use: then nothing is deleted. */
  eraseRuns(run_ids: readonly string[]): Promise<boolean>
  /** How many recovery points these runs have. */
  countOf(run_ids: readonly string[]): number
  /** Synchronous and without the thread: whether anything is too old or over the maximum number. */
  isRetentionDue(): boolean
  /** Synchronous and without the thread: whether `recover` has anything to do. */
  needsRecovery(): boolean
  /** Once at start: finishes or undoes what a crash interrupted. `recorded` pauses the run of a restore. */
  recover(recorded?: RecoveredRecord): Promise<Recovery>
  /** A restore of this run was interrupted: until a start finishes or undoes it, nothing may depend on its files. */
  isStuck(run_id: string): boolean
  close(): Promise<void>
}

/** A checkpoint whose call left a background command running. */
export interface OpenPoint {
  readonly checkpoint_id: string
  readonly run_id: string
  readonly processes: readonly ProcessIdentity[]
}

export interface ClosedPoint {
  readonly checkpoint_id: string
  readonly run_id: string
  readonly returned_at: number
  /** The end of the process was not seen: it ended while no runtime was running. */
  readonly late: boolean
}

export interface CheckpointsOptions {
  readonly store: Store
  readonly engine: Engine
  /** The maximum size of the stored contents. */
  readonly quota_bytes?: number
  /** Called in the transaction that deletes checkpoints or their contents, for whatever reason. */
  readonly deleted?: DeletedRecord
  readonly crashpoint?: Crashpoint
}

export interface PageParams {
  readonly limit?: number
  readonly cursor?: string
}

export interface PreviewParams extends PageParams {
  /** Where the folder of the run is now; by default, where it was at the checkpoint. */
  readonly workspace?: string
  readonly diffs?: boolean
  readonly change?: RestoreChange
  readonly background?: BackgroundSelection
  readonly group?: RestoreGroup
}

export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

export type TakenForCall =
  | Exclude<TakenCheckpoint, { outcome: 'store_full' }>
  /** The plan that the approval of the call shows. */
  | ({ readonly outcome: 'store_full'; readonly plan: CheckpointPlan } & CheckpointFailure)

export type Planned =
  | { readonly outcome: 'planned'; readonly plan: CheckpointPlan | null }
  | ({ readonly outcome: 'failed' } & CheckpointFailure)

export type RestorePreview =
  | {
      readonly outcome: 'previewed'
      readonly counts: RestoreCounts
      /** Changes made while background commands ran. */
      readonly background: RestoreCounts
      /** How many of these commands are still running. */
      readonly running: number
      readonly notes: readonly string[]
      readonly entries: PageOf<RestorePreviewEntry>
    }
  | ({ readonly outcome: 'failed' } & CheckpointFailure)

export function openCheckpoints(options: CheckpointsOptions): Checkpoints {
  const { store, engine, quota_bytes = defaultQuota, deleted = () => undefined, crashpoint = crashPoint } = options
  const records = checkpointRecords(store)
  const room = { store, engine, records, quota_bytes, crashpoint, deleted }
  /** By run: a run executes one changing call at a time. */
  const open = new Map<string, OpenCall>()
  let inOrder: Promise<unknown> = Promise.resolve()

  /** Taking, settling and restoring run one after another: each changes what the next one scans. */
  function next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = inOrder.then(work)
    inOrder = result.catch(() => undefined)
    return result
  }

  async function plan(call: PlannedCall, following: Following = {}): Promise<Planned> {
    const scope = scopeOf(call)
    if (!scope) return { outcome: 'planned', plan: null }
    try {
      const { call_id, tool } = call
      const plan = { call_id, tool, scope, ...(await engine.survey(scope, records.lastLookAt(scope.root), following)) }
      const fits = (await fitsUncompressed(room, plan)) || (await next(() => fitsCompressed(room, plan, following.counted)))
      return { outcome: 'planned', plan: fits ? plan : withoutRecoveryPoint(plan) }
    } catch (error) {
      return { outcome: 'failed', ...toFailure(error, 'checkpoint', scope.root) }
    }
  }

  async function take({ call_id, tool, scope }: CheckpointedCall, cursor: CheckpointCursor, counted?: FileCount): Promise<TakenForCall> {
    const taken = await takeCheckpoint(room, { scope, call: { call_id, tool }, counted }, cursor)
    if (taken.outcome === 'store_full') {
      const { surveyed, ...failure } = taken
      return { ...failure, plan: withoutRecoveryPoint({ call_id, tool, scope, ...surveyed }) }
    }
    if (taken.outcome === 'taken') open.set(cursor.run_id, { checkpoint_id: taken.checkpoint.checkpoint_id, tool })
    return taken
  }

  async function settle(checkpoint_id: string, counted?: FileCount): Promise<CheckpointFailure | null> {
    // A checkpoint that stays open for a background command is closed when the command ends.
    return await settleWith(checkpoint_id, isUnsettled, async () => {
      const stored_bytes = await engine.settle(checkpoint_id, 'after', { counted })
      crashpoint('settle:kept')
      records.settle(checkpoint_id, 'yes', stored_bytes)
    })
  }

  async function leaveOpen(checkpoint_id: string, processes: readonly ProcessIdentity[]): Promise<CheckpointFailure | null> {
    return await settleWith(checkpoint_id, isUnsettled, async () => {
      const stored_bytes = await engine.settle(checkpoint_id)
      crashpoint('background:kept')
      records.leaveOpen(checkpoint_id, processes, stored_bytes)
    })
  }

  async function closePoint(checkpoint_id: string, seen: 'yes' | 'late', recorded: (point: ClosedPoint) => void) {
    return await settleWith(checkpoint_id, isLeftOpen, async ({ run_id, returned_at }) => {
      const stored_bytes = await engine.settle(checkpoint_id, 'end')
      crashpoint('background:ended')
      store.transaction(() => {
        records.settle(checkpoint_id, seen, stored_bytes)
        recorded({ checkpoint_id, run_id, returned_at: returned_at ?? 0, late: seen === 'late' })
      })
    })
  }

  async function settleWith(
    checkpoint_id: string,
    isDue: (row: CheckpointRow) => boolean,
    work: (row: CheckpointRow) => Promise<void>,
  ): Promise<CheckpointFailure | null> {
    const row = records.get(checkpoint_id)
    if (!row || !isDue(row)) return null
    if (open.get(row.run_id)?.checkpoint_id === checkpoint_id) open.delete(row.run_id)
    try {
      await work(row)
      return null
    } catch (error) {
      return toFailure(error, 'checkpoint', row.root)
    }
  }

  function restorable(checkpoint_id: string): CheckpointRow | CheckpointFailure {
    const row = records.get(checkpoint_id)
    if (!row) return unknownCheckpoint(checkpoint_id)
    return row.contents_deleted_at === null ? row : contentsDeleted(checkpoint_id)
  }

  async function preview(checkpoint_id: string, page: PreviewParams): Promise<RestorePreview> {
    const row = restorable(checkpoint_id)
    if ('code' in row) return { outcome: 'failed', ...row }
    try {
      const workspace = page.workspace ?? toCheckpoint(row).run_metadata.workspace
      const history = historyOf(records, row, workspace)
      const gone = await workspaceGone(history.stages, workspace)
      if (gone) return { outcome: 'failed', ...gone }
      const {
        items,
        next: more,
        counts,
        background,
      } = await engine.preview(history, {
        ...toPage(page),
        diffs: page.diffs ? 'with' : 'without',
        change: page.change ?? null,
        background: page.background ?? 'none',
        group: page.group ?? 'calls',
      })
      const rows = records.stagesFrom(row)
      const running = rows.filter(isLeftOpen).length
      const notes = notesFor(rows, missingContents(records, [row.run_id], row.taken_scan))
      return {
        outcome: 'previewed',
        counts,
        background,
        running,
        notes,
        entries: { items, next_cursor: more === null ? null : String(more) },
      }
    } catch (error) {
      return { outcome: 'failed', ...toFailure(error, 'restore', checkpoint_id) }
    }
  }

  /** If the folder was moved, a restore would create a second copy at the old path. */
  async function workspaceGone(stages: readonly StageRef[], workspace: string): Promise<CheckpointFailure | null> {
    const seen = await engine.whereabouts(stages, workspace)
    if (seen.state === 'there') return null
    const { found } = seen
    const message = `the folder ${workspace} no longer exists${found === null ? '' : `; its files are now in ${found}`}`
    const remedy =
      found === null
        ? `If you moved it, restore again with its new path as the workspace. If it was deleted, create an empty folder at ${workspace} and restore again.`
        : `Restore again with ${found} as the workspace, or move the folder back.`
    const facts = found === null ? [] : [{ name: 'found_at', value: found }]
    return failed('restore_failed', 'restore', 'workspace_moved', message, workspace, remedy, facts)
  }

  async function restore(
    checkpoint_id: string,
    on_conflict: ConflictChoice,
    cursor: CheckpointCursor,
    recorded: RecordRestore = () => undefined,
    background: BackgroundSelection = 'none',
    chosen?: RestoreChoices['chosen'],
  ): Promise<RestoreOutcome> {
    const row = restorable(checkpoint_id)
    if ('code' in row) return refusedRestore(row)
    try {
      const { workspace } = cursor.run_metadata
      const gone = await workspaceGone(historyOf(records, row, workspace).stages, workspace)
      if (gone) return refusedRestore(gone)
      return await restoreFiles({ ...room, recorded }, row, { on_conflict, background, ...(chosen ? { chosen } : {}) }, cursor)
    } catch (error) {
      return refusedRestore(toFailure(error, 'restore', checkpoint_id))
    }
  }

  return {
    plan,
    isWeaker,
    take: (planned, cursor, counted) => next(() => take(planned, cursor, counted)),
    takeOnDemand: (wanted) => next(() => takeOnDemand(room, open, wanted)),
    settle: (checkpoint_id, counted) => next(() => settle(checkpoint_id, counted)),
    async savedContent(run_id, wanted) {
      const checkpoint_ids = records.withContents(run_id)
      return checkpoint_ids.length === 0 ? null : await engine.saved(checkpoint_ids, wanted)
    },
    hasTarget: records.hasTarget,
    async changes(checkpoint_id, most) {
      return records.get(checkpoint_id)?.settled === 'yes' ? await engine.changes(checkpoint_id, most) : null
    },
    leaveOpen: (checkpoint_id, processes) => next(() => leaveOpen(checkpoint_id, processes)),
    setProcesses: records.setProcesses,
    closePoint: (checkpoint_id, seen, recorded) => next(() => closePoint(checkpoint_id, seen, recorded)),
    openPoints() {
      const rows = records.unsettled().filter(isLeftOpen)
      return rows.map(({ checkpoint_id, run_id, processes }) => ({ checkpoint_id, run_id, processes: JSON.parse(processes ?? '[]') }))
    },
    async commandsToEnd(checkpoint_id, choices, workspace) {
      const row = restorable(checkpoint_id)
      return 'code' in row ? row : await commandsToEnd(room, row, choices, workspace)
    },
    preview,
    ofRuns: openRunChanges(room),
    unprotected: openUnprotectedCalls(store, records),
    restore: (...restored) => next(() => restore(...restored)),
    list(run_id, recovery_chain_id, { limit = limits.list_default, cursor }) {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor)
      const rows = records.page(run_id, recovery_chain_id, before, limit + 1)
      const shown = rows.slice(0, limit)
      return { items: shown.map(toSummary), next_cursor: rows.length > limit ? String(shown.at(-1)?.no) : null }
    },
    get(checkpoint_id) {
      const row = records.get(checkpoint_id)
      return row && toCheckpoint(row)
    },
    async artifacts(checkpoint_id, page) {
      const row = records.get(checkpoint_id)
      if (!row) return unknownCheckpoint(checkpoint_id)
      if (row.contents_deleted_at !== null) return { items: [], next_cursor: null }
      return artifactPage(row, await engine.artifacts(checkpoint_id, toPage(page)))
    },
    holdForApproval: (run_id) => records.markPendingApproval(run_id, 1),
    releaseFromApproval: (run_id) => records.markPendingApproval(run_id, 0),
    markFailure: (checkpoint_id, { taxonomy }) => records.markTaxonomy(checkpoint_id, taxonomy),
    retain: () => next(() => retain(room)),
    eraseRuns: (run_ids) => next(() => eraseRuns(room, run_ids)),
    countOf: (run_ids) => records.ofRuns(run_ids).length,
    isRetentionDue: () => isRetentionDue(room),
    needsRecovery: () => needsRecovery(room),
    recover: (recorded = () => undefined) => next(() => recoverCheckpoints({ ...room, recorded })),
    isStuck: (run_id) => records.unsettled().some((row) => row.run_id === run_id && row.restored_checkpoint_id !== null),
    close: () => engine.close(),
  }
}

function isUnsettled(row: CheckpointRow): boolean {
  return row.settled !== 'yes' && !isLeftOpen(row)
}

function toPage({ limit = limits.list_default, cursor }: PageParams): { from: number; limit: number } {
  return { from: cursor === undefined ? 0 : Number(cursor), limit }
}
