// Restores what withdrawn members changed in the folder of their run: all of them, or none.
import type { ConflictChoice } from '@tandem/contract/checkpoint'
import type { CommandResult } from '@tandem/contract/command'
import type { WithdrawnMember } from '@tandem/contract/team'
import type { Outcome } from '../feature/outcome.ts'
import type { Restored, RestoreOptions } from '../run/recovery/restore.ts'

export type RestoredMember = Extract<CommandResult<'agent_run_restore_checkpoint'>, { outcome: 'restored' }>['members'][number]

type Restore = (run_id: string, checkpoint_id: string, on_conflict: ConflictChoice, options?: RestoreOptions) => Promise<Outcome<Restored>>

/** The last one first: a member that another member started may have changed the same files. */
export async function restoreMembers(
  restore: Restore,
  withdrawn: readonly WithdrawnMember[],
  on_conflict: ConflictChoice,
  { scope = 'run' }: Pick<RestoreOptions, 'scope'> = {},
): Promise<Outcome<readonly RestoredMember[]>> {
  const done: RestoredMember[] = []
  for (const { run_id, title, checkpoint_id } of withdrawn.toReversed()) {
    if (checkpoint_id === null) continue
    const restored = await restore(run_id, checkpoint_id, on_conflict, { scope })
    if (!restored.ok) {
      await undoMembers(restore, done, { scope })
      return { ...restored, message: `the changes of the member ${title}: ${restored.message}` }
    }
    const { counts, safety_checkpoint_id, left_alone } = restored.value
    done.push({ run_id, title, counts, safety_checkpoint_id, left_alone: [...left_alone] })
  }
  return { ok: true, value: done }
}

/** What was changed in the meantime is kept; the recovery points of each member still have the rest. */
export async function undoMembers(
  restore: Restore,
  restored: readonly RestoredMember[],
  { scope = 'run' }: Pick<RestoreOptions, 'scope'> = {},
): Promise<void> {
  for (const { run_id, safety_checkpoint_id } of restored.toReversed()) await restore(run_id, safety_checkpoint_id, 'keep', { scope })
}
