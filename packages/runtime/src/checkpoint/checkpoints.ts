// The room's face: what the pipeline and the loop call. It plans, takes, keeps and puts files back; of a run it knows only a cursor.
import type {
  CheckpointSummary,
  ConflictChoice,
  RestoreChange,
  RestoreCounts,
  RestorePreviewEntry,
  RunCheckpoint,
} from '@tandem/contract/checkpoint'
import type { FailureContract } from '@tandem/contract/failure'
import { limits } from '@tandem/contract/limits'
import type { Store } from '../store/store.ts'
import { type ArtifactPage, artifactPage } from './artifact.ts'
import type { Engine } from './engine.ts'
import { type CheckpointFailure, failed, toFailure } from './failure.ts'
import { type CallAtStake, type CheckpointPlan, isWeaker } from './plan.ts'
import { defaultQuota } from './quota.ts'
import { needsRecovery, type RecoveredRecord, type Recovery, recoverCheckpoints } from './recovery.ts'
import { recoveryHints } from './recovery-hints.ts'
import { type Recorded, type RestoreOutcome, refused, restoreFiles } from './restore-files.ts'
import { type Expired, makeRoom, retain } from './retain.ts'
import { type PlannedCall, scopeOf } from './scope.ts'
import { type CheckpointCursor, checkpointRecords, toCheckpoint, toStage, toSummary } from './store.ts'
import { unprotectedText } from './unprotected.ts'

export interface Checkpoints {
  /** What would be protected and what not, before a call is approved; null for a call that changes nothing on disk. */
  plan(call: PlannedCall, signal?: AbortSignal): Promise<Planned>
  /** A plan that became weaker while its approval waited has to be shown again. */
  isWeaker(earlier: CheckpointPlan, now: CheckpointPlan): boolean
  /** Before the intent is written. Anything but `taken` stops the call. A null plan is a checkpoint of the run alone. */
  take(plan: CallAtStake | null, cursor: CheckpointCursor): Promise<TakenCheckpoint>
  /** After the call, however it ended: remembers how it left things, so that what others change later is known as theirs. */
  settle(checkpoint_id: string): Promise<CheckpointFailure | null>
  preview(checkpoint_id: string, page: PreviewParams): Promise<RestorePreview>
  /** `cursor`: where the run stands now, for the checkpoint that leads back. */
  restore(checkpoint_id: string, on_conflict: ConflictChoice, cursor: CheckpointCursor, recorded?: Recorded): Promise<RestoreOutcome>
  list(run_id: string, recovery_chain_id: string | null, page: PageParams): PageOf<CheckpointSummary>
  get(checkpoint_id: string): RunCheckpoint | undefined
  artifacts(checkpoint_id: string, page: PageParams): Promise<ArtifactPage | CheckpointFailure>
  /** While an approval of their run waits, checkpoints are kept longer: who answers late may still want to go back. */
  holdForApproval(run_id: string): void
  releaseFromApproval(run_id: string): void
  /** Of a call that failed: its checkpoint is kept longer. */
  markFailure(checkpoint_id: string, failure: FailureContract): void
  /** Gives up what is outlived, over the cap or over the quota. */
  retain(): Promise<readonly Expired[]>
  /** At once and without the thread: whether `recover` has anything to do. */
  needsRecovery(): boolean
  /** Once at start: finishes or takes back what a crash left half-done. `recorded` pauses the run it is told of. */
  recover(recorded?: RecoveredRecord): Promise<Recovery>
  /** A restore of this run stopped half-way: until a start finishes it or takes it back, nothing may build on its files. */
  isStuck(run_id: string): boolean
  close(): Promise<void>
}

export interface CheckpointsOptions {
  readonly store: Store
  readonly engine: Engine
  /** How much the kept contents may weigh. */
  readonly quota_bytes?: number
  readonly crashpoint?: (name: string) => void
}

export interface PageParams {
  readonly limit?: number
  readonly cursor?: string
}

export interface PreviewParams extends PageParams {
  readonly diffs?: boolean
  readonly change?: RestoreChange
}

export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

export type Planned =
  | { readonly outcome: 'planned'; readonly plan: CheckpointPlan | null }
  | ({ readonly outcome: 'failed' } & CheckpointFailure)

export type TakenCheckpoint =
  | {
      readonly outcome: 'taken'
      readonly checkpoint: CheckpointSummary
      readonly unprotected: readonly string[]
      readonly duration_ms: number
    }
  | ({ readonly outcome: 'failed' } & CheckpointFailure)

export type RestorePreview =
  | { readonly outcome: 'previewed'; readonly counts: RestoreCounts; readonly entries: PageOf<RestorePreviewEntry> }
  | ({ readonly outcome: 'failed' } & CheckpointFailure)

export function openCheckpoints({
  store,
  engine,
  quota_bytes = defaultQuota,
  crashpoint = () => undefined,
}: CheckpointsOptions): Checkpoints {
  const records = checkpointRecords(store)
  const { clock, newId } = store
  const room = { store, engine, records, quota_bytes }
  let inOrder: Promise<unknown> = Promise.resolve()

  /** Taking, settling and restoring come one after another: each changes what the next one looks at. */
  function next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = inOrder.then(work)
    inOrder = result.catch(() => undefined)
    return result
  }

  async function plan(call: PlannedCall, signal?: AbortSignal): Promise<Planned> {
    const scope = scopeOf(call)
    if (!scope) return { outcome: 'planned', plan: null }
    try {
      const { call_id, tool } = call
      return { outcome: 'planned', plan: { call_id, tool, scope, ...(await engine.survey(scope, records.lastLookAt(scope.root), signal)) } }
    } catch (error) {
      return { outcome: 'failed', ...toFailure(error, 'checkpoint', scope.root) }
    }
  }

  function takeRunAlone(cursor: CheckpointCursor): TakenCheckpoint {
    const row = records.add({
      ...{ checkpoint_id: newId(), cursor, name: 'task_recovery_point', restore_kind: null, tool: null, opaque: false, root: null },
      ...{ artifact_count: 0, artifact_bytes: 0, stored_bytes: 0, pending_mutation_metadata: null, restored_checkpoint_id: null },
    })
    return { outcome: 'taken', checkpoint: toSummary(row), unprotected: [], duration_ms: 0 }
  }

  async function take(planned: CallAtStake, cursor: CheckpointCursor): Promise<TakenCheckpoint> {
    const { scope, tool, call_id } = planned
    const begun = clock.elapsed()
    const checkpoint_id = newId()
    try {
      const taken = await engine.take(checkpoint_id, scope, records.lastLookAt(scope.root))
      crashpoint('take:kept')
      const full = await makeRoom(room, checkpoint_id)
      if (full) {
        await engine.sweep(records.packs())
        return { outcome: 'failed', ...full }
      }
      const unprotected = taken.unprotected.map(unprotectedText)
      const { kind: restore_kind, artifact_count, artifact_bytes, stored_bytes, files, bytes } = taken
      const { root, targets, opaque } = scope
      const row = records.add({
        ...{
          checkpoint_id,
          cursor: { ...cursor, recovery_hints: recoveryHints(scope, restore_kind, unprotected) },
          restore_kind,
          tool,
          opaque,
          root,
          artifact_count,
          artifact_bytes,
          stored_bytes,
          restored_checkpoint_id: null,
        },
        name: opaque ? 'safety_rollback_point' : 'task_recovery_point',
        pending_mutation_metadata: { call_id, tool, scope: { root, files, bytes }, targets: [...targets], unprotected },
      })
      crashpoint('take:recorded')
      return { outcome: 'taken', checkpoint: toSummary(row), unprotected, duration_ms: passed(begun) }
    } catch (error) {
      return { outcome: 'failed', ...toFailure(error, 'checkpoint', scope.root) }
    }
  }

  async function settle(checkpoint_id: string): Promise<CheckpointFailure | null> {
    const row = records.get(checkpoint_id)
    if (!row || row.root === null || row.settled === 'yes') return null
    try {
      records.settle(checkpoint_id, 'yes', await engine.settle(checkpoint_id))
      return null
    } catch (error) {
      return toFailure(error, 'checkpoint', row.root)
    }
  }

  async function preview(checkpoint_id: string, page: PreviewParams): Promise<RestorePreview> {
    const row = records.get(checkpoint_id)
    if (!row) return { outcome: 'failed', ...unknown(checkpoint_id) }
    try {
      const {
        items,
        next: more,
        counts,
      } = await engine.preview(records.stagesFrom(row).map(toStage), {
        ...toPage(page),
        diffs: page.diffs ? 'with' : 'without',
        change: page.change ?? null,
      })
      return { outcome: 'previewed', counts, entries: { items, next_cursor: more === null ? null : String(more) } }
    } catch (error) {
      return { outcome: 'failed', ...toFailure(error, 'restore', checkpoint_id) }
    }
  }

  async function restore(
    checkpoint_id: string,
    on_conflict: ConflictChoice,
    cursor: CheckpointCursor,
    recorded: Recorded = () => undefined,
  ): Promise<RestoreOutcome> {
    const row = records.get(checkpoint_id)
    if (!row) return refused(unknown(checkpoint_id))
    try {
      return await restoreFiles({ ...room, crashpoint, recorded }, row, on_conflict, cursor)
    } catch (error) {
      return refused(toFailure(error, 'restore', checkpoint_id))
    }
  }

  function passed(begun: number): number {
    return Math.round(clock.elapsed() - begun)
  }

  return {
    plan,
    isWeaker,
    take: (planned, cursor) => next(async () => (planned ? take(planned, cursor) : takeRunAlone(cursor))),
    settle: (checkpoint_id) => next(() => settle(checkpoint_id)),
    preview,
    restore: (checkpoint_id, on_conflict, cursor, recorded) => next(() => restore(checkpoint_id, on_conflict, cursor, recorded)),
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
      if (!row) return unknown(checkpoint_id)
      if (row.root === null) return { items: [], next_cursor: null }
      return artifactPage(row, await engine.artifacts(checkpoint_id, toPage(page)))
    },
    holdForApproval: (run_id) => records.markPendingApproval(run_id, 1),
    releaseFromApproval: (run_id) => records.markPendingApproval(run_id, 0),
    markFailure: (checkpoint_id, { taxonomy }) => records.markTaxonomy(checkpoint_id, taxonomy),
    retain: () => next(() => retain(room)),
    needsRecovery: () => needsRecovery(room),
    recover: (recorded = () => undefined) => next(() => recoverCheckpoints({ ...room, crashpoint, recorded })),
    isStuck: (run_id) => records.unsettled().some((row) => row.run_id === run_id && row.restored_checkpoint_id !== null),
    close: () => engine.close(),
  }
}

function toPage({ limit = limits.list_default, cursor }: PageParams): { from: number; limit: number } {
  return { from: cursor === undefined ? 0 : Number(cursor), limit }
}

function unknown(checkpoint_id: string): CheckpointFailure {
  return failed(
    'checkpoint_expired',
    'restore',
    'checkpoint_expired',
    `the checkpoint ${checkpoint_id} is no longer kept`,
    checkpoint_id,
    'Choose a younger checkpoint.',
  )
}
