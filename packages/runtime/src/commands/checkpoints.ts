import type { ConflictChoice, RestoreScope, RunCheckpoint } from '@tandem/contract/checkpoint'
import type { WithdrawnMember } from '@tandem/contract/team'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { CommandTable } from '../feature/command-table.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import type { Journal } from '../journal/journal.ts'
import type { CreatedCheckpoint } from '../run/recovery/on-demand.ts'
import { type Restored, type RestoreOptions, stepsAfterRestore, workspaceNotMoved } from '../run/recovery/restore.ts'
import { restoreMembers, undoMembers } from './withdrawn-members.ts'

export interface CheckpointFeatures {
  readonly journal: Journal
  readonly checkpoints: Checkpoints
  /** Resolves when restores that a crash interrupted are finished. */
  readonly ready: Promise<unknown>
  readonly workspaces: Pick<Workspaces, 'resolve'>
  restore(run_id: string, checkpoint_id: string, on_conflict: ConflictChoice, options?: RestoreOptions): Promise<Outcome<Restored>>
  createCheckpoint(run_id: string): Promise<Outcome<CreatedCheckpoint>>
  readonly teams: {
    /** The members that a restore of the run to a cursor would withdraw. */
    withdrawnBy(run_id: string, cursor_seq: number): Promise<readonly WithdrawnMember[]>
    readonly control: { pauseAll(run_id: string): Promise<void> }
  }
}

export function checkpointHandlers({
  checkpoints,
  journal,
  ready,
  workspaces,
  restore,
  createCheckpoint,
  teams,
}: CheckpointFeatures): CommandTable {
  async function restoredMembers({ run_id, run_loop_cursor }: RunCheckpoint, on_conflict: ConflictChoice, scope: RestoreScope = 'run') {
    // A run that works on would change what is restored.
    await teams.control.pauseAll(run_id)
    return await restoreMembers(restore, await teams.withdrawnBy(run_id, run_loop_cursor.seq), on_conflict, { scope })
  }

  return {
    agent_run_list_checkpoints({ run_id, recovery_chain_id, ...page }) {
      const { items, next_cursor } = checkpoints.list(run_id, recovery_chain_id ?? null, page)
      return { ok: true, value: { items: [...items], next_cursor } }
    },
    async agent_run_get_checkpoint({ run_id, checkpoint_id, ...page }) {
      const checkpoint = checkpoints.get(checkpoint_id)
      if (checkpoint?.run_id !== run_id) return unknown(run_id, checkpoint_id)
      const artifacts = await checkpoints.artifacts(checkpoint_id, page)
      if ('failure_contract' in artifacts) return refused(artifacts)
      return { ok: true, value: { checkpoint, artifacts: { items: [...artifacts.items], next_cursor: artifacts.next_cursor } } }
    },
    async agent_run_restore_checkpoint(params) {
      const { run_id, checkpoint_id } = params
      const checkpoint = checkpoints.get(checkpoint_id)
      if (checkpoint?.run_id !== run_id) return unknown(run_id, checkpoint_id)
      const given = params.workspace === undefined ? null : workspaces.resolve(params.workspace)
      if (given?.ok === false) return given
      if (params.action === 'preview') {
        const run = journal.run(run_id)
        const misplaced = run && given ? workspaceNotMoved<never>(run, given.value) : null
        if (misplaced) return misplaced
        const workspace = given?.value ?? run?.workspace ?? checkpoint.run_metadata.workspace
        const seen = await checkpoints.preview(checkpoint_id, { ...params, workspace })
        if (seen.outcome === 'failed') return refused(seen)
        const entries = { items: [...seen.entries.items], next_cursor: seen.entries.next_cursor }
        const set_aside_message_ids = [...stepsAfterRestore(journal.steps(run_id), checkpoint.run_loop_cursor.seq).set_aside_message_ids]
        const { counts, background, running, notes } = seen
        const group = { counts: background, running }
        const members = [...(await teams.withdrawnBy(run_id, checkpoint.run_loop_cursor.seq))]
        const facts = { run_id, checkpoint_id, counts, background: group, members, notes: [...notes], set_aside_message_ids, entries }
        return { ok: true, value: { outcome: 'previewed', ...facts } }
      }
      await ready
      const { on_conflict, background, scope } = params
      // Before the run itself: what it wrote earlier is below what they changed.
      const members =
        params.members === 'restore' ? await restoredMembers(checkpoint, on_conflict, scope) : { ok: true as const, value: [] }
      if (!members.ok) return members
      const restored = await restore(run_id, checkpoint_id, on_conflict, { workspace: given?.value, background, scope })
      if (!restored.ok) {
        await undoMembers(restore, members.value, { scope })
        return restored
      }
      const { set_aside_message_ids, left_alone, ...facts } = restored.value
      const lists = { set_aside_message_ids: [...set_aside_message_ids], left_alone: [...left_alone], members: [...members.value] }
      return { ok: true, value: { outcome: 'restored', state: journal.run(run_id)?.state ?? 'paused', ...facts, ...lists } }
    },
    async agent_run_create_checkpoint({ run_id }) {
      await ready
      const created = await createCheckpoint(run_id)
      if (!created.ok) return created
      const { checkpoint, unprotected } = created.value
      return { ok: true, value: { checkpoint, unprotected: [...unprotected] } }
    },
  }
}

function unknown(run_id: string, checkpoint_id: string): Outcome<never> {
  return { ok: false, code: 'checkpoint_expired', message: `run ${run_id} has no recovery point ${checkpoint_id}` }
}

function refused({
  code,
  failure_contract,
}: Pick<Extract<Awaited<ReturnType<Checkpoints['preview']>>, { outcome: 'failed' }>, 'code' | 'failure_contract'>): Outcome<never> {
  return { ok: false, code, message: failure_contract.details.message, failure_contract }
}
