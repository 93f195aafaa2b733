// Restores files of several runs for a branch: none of them if one cannot be restored, as far as that is known before.
import type { ConflictChoice } from '@tandem/contract/checkpoint'
import type { LocalRun } from '@tandem/contract/command'
import type { WithdrawnChoice } from '@tandem/contract/team'
import type { RuntimeClient } from '../client/client.ts'
import type { CallError } from '../connection/channel.ts'
import type { ChangedSince } from '../store/branch-source.ts'
import { branchWords } from '../strings/branching.ts'
import { visibleText } from '../text/visible.ts'

export interface BranchRestore {
  /** The newest run first: what it changed is no conflict for older ones. */
  readonly runs: readonly ChangedSince[]
  readonly on_conflict: ConflictChoice
  readonly members: WithdrawnChoice
}

export const nothingToRestore: BranchRestore = { runs: [], on_conflict: 'stop', members: 'keep' }

export type BranchRestored = 'done' | 'conflict' | 'refused'

type Ports = Pick<RuntimeClient, 'showError'> & {
  readonly channel: Pick<RuntimeClient['channel'], 'call'>
  readonly store: { get(): { readonly runs: ReadonlyMap<string, Pick<LocalRun, 'run_id' | 'conversation_id' | 'state' | 'title'>> } }
}

/** Refusals are shown as notices, with what was restored before. */
export async function restoreForBranch({ channel, store, showError }: Ports, wanted: BranchRestore): Promise<BranchRestored> {
  const { runs, on_conflict, members } = wanted
  const { files, doing } = branchWords
  const titleOf = (run_id: string) => visibleText(store.get().runs.get(run_id)?.title ?? '')
  const refuse = (error: CallError, done: readonly string[] = []): BranchRestored => {
    const message = done.length === 0 ? error.message : `${error.message}. ${files.partly(done)}`
    showError(doing.restore, { ...error, message })
    return error.code === 'restore_conflict' ? 'conflict' : 'refused'
  }
  const busy = otherRunAtWork(store.get().runs, runs)
  if (busy) return refuse({ code: 'run_busy', message: files.busy(visibleText(busy.title)), remedy: files.busyRemedy })
  for (const { run_id, checkpoint_id } of runs) {
    const seen = await channel.call('agent_run_restore_checkpoint', { action: 'preview', run_id, checkpoint_id, limit: 1 })
    if (!seen.ok) return refuse(seen.error)
  }
  const done: string[] = []
  for (const { run_id, checkpoint_id } of runs) {
    const params = { action: 'restore' as const, run_id, checkpoint_id, on_conflict, members, scope: 'files' as const }
    const restored = await channel.call('agent_run_restore_checkpoint', params)
    if (!restored.ok) return refuse(restored.error, done)
    done.push(titleOf(run_id))
  }
  return 'done'
}

/** A run that works would change what is restored. One whose own files are restored is paused for that. */
function otherRunAtWork<Run extends Pick<LocalRun, 'run_id' | 'conversation_id' | 'state'>>(
  runs: ReadonlyMap<string, Run>,
  restored: readonly ChangedSince[],
): Run | undefined {
  const own = new Set(restored.map(({ run_id }) => run_id))
  const conversations = new Set(restored.map(({ run_id }) => runs.get(run_id)?.conversation_id))
  return [...runs.values()].find((run) => run.state === 'running' && conversations.has(run.conversation_id) && !own.has(run.run_id))
}
