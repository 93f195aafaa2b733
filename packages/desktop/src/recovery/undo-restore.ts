// Undoes a restore together with the restores of members that belong to it.
import type { CommandResult } from '@tandem/contract/command'
import type { CallError, Channel } from '../connection/channel.ts'

export type RestoredOutcome = Extract<CommandResult<'agent_run_restore_checkpoint'>, { outcome: 'restored' }>

export type Undone =
  | { readonly ok: true; readonly restored: RestoredOutcome }
  /** `point`: the recovery point that could not be restored. */
  | { readonly ok: false; readonly error: CallError; readonly point: { readonly run_id: string; readonly checkpoint_id: string } }

/** In the reverse order: a restore begins with the members, so that its undo ends with them. */
export async function undoRestore(
  channel: Pick<Channel, 'call'>,
  { run_id, safety_checkpoint_id, members }: Pick<RestoredOutcome, 'run_id' | 'safety_checkpoint_id' | 'members'>,
  was: 'restore' | 'undo',
): Promise<Undone> {
  const own = { run_id, title: null, safety_checkpoint_id }
  const others = members.toReversed()
  const undone: RestoredOutcome['members'] = []
  let restored: RestoredOutcome | null = null
  for (const one of was === 'restore' ? [own, ...others] : [...others, own]) {
    const point = { run_id: one.run_id, checkpoint_id: one.safety_checkpoint_id }
    const answer = await channel.call('agent_run_restore_checkpoint', { action: 'restore', ...point, on_conflict: 'stop' })
    if (!answer.ok) return { ok: false, error: answer.error, point }
    if (answer.value.outcome !== 'restored') throw new Error('a restore was answered with a preview')
    const { counts, safety_checkpoint_id: safety, left_alone } = answer.value
    if (one.title === null) restored = answer.value
    else undone.push({ run_id: one.run_id, title: one.title, counts, safety_checkpoint_id: safety, left_alone })
  }
  if (!restored) throw new Error('the run itself is always restored')
  return { ok: true, restored: { ...restored, members: undone } }
}
