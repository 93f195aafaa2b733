// Restores the files of a run to a recovery point, and takes one that a user requests.
import type { ConflictChoice } from '@tandem/contract/checkpoint'
import { type Outcome, rejection } from '../../feature/outcome.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { type CreatedCheckpoint, createCheckpoint } from '../recovery/on-demand.ts'
import { type Restored, type RestoreOptions, restoreInterrupted, restoreRunCheckpoint, workspaceNotMoved } from '../recovery/restore.ts'
import type { ControlPorts } from './live-runs.ts'

export interface Restoring {
  restore(run_id: string, checkpoint_id: string, on_conflict: ConflictChoice, options?: RestoreOptions): Promise<Outcome<Restored>>
  createCheckpoint(run_id: string): Promise<Outcome<CreatedCheckpoint>>
  /** Resolves when no recovery point is being taken. */
  settled(): Promise<unknown>
}

export function openRestoring({ ports, kept, live, rejections }: ControlPorts): Restoring {
  const { journal } = ports
  const keeping = new Set<Promise<unknown>>()

  async function tryRestore(
    run_id: string,
    checkpoint_id: string,
    on_conflict: ConflictChoice,
    options: RestoreOptions = {},
  ): Promise<Outcome<Restored>> {
    const guarded = live.guard(run_id)
    if (!guarded.ok) return guarded
    const run = guarded.value
    const open = live.openRunOf(run.conversation, run_id)
    // A paused run continues with the files as it finds them; only one that works must not be disturbed.
    const working = options.chosen
      ? workingIn([run_id, ...options.chosen.runs.keys()], open)
      : options.scope === 'files'
        ? workingIn([], open)
        : open
    if (working) return live.busy(working)
    if (live.isStopping()) return rejection('storage_unavailable', 'the runtime is stopping')
    if (kept.isStuck(run_id)) return restoreInterrupted(run_id)
    if (kept.get(checkpoint_id)?.run_id !== run_id)
      return rejection('checkpoint_expired', `run ${run_id} has no recovery point ${checkpoint_id}`)
    const misplaced = options.workspace === undefined ? null : workspaceNotMoved<Restored>(run, options.workspace)
    if (misplaced) return misplaced
    // It counts as being restored before the run is paused, so that nothing resumes it in between.
    return await live.whileRestoring(run_id, pauseAndRestore(run, checkpoint_id, on_conflict, options))
  }

  function workingIn(run_ids: readonly string[], open: RunRecord | undefined): RunRecord | undefined {
    const all = [open, ...run_ids.map((run_id) => journal.run(run_id))]
    return all.find((one) => one?.state === 'running')
  }

  async function pauseAndRestore(
    run: RunRecord,
    checkpoint_id: string,
    on_conflict: ConflictChoice,
    options: RestoreOptions = {},
  ): Promise<Outcome<Restored>> {
    const { run_id } = run
    const active = live.get(run_id)
    active?.stops.stop('restore', null)
    await active?.done
    // Changes of a running process cannot be restored: selecting them ends the process, and no other.
    const { background = 'none', chosen, workspace = run.workspace } = options
    const choices = { on_conflict, background, ...(chosen ? { chosen } : {}) }
    const toEnd = await kept.commandsToEnd(checkpoint_id, choices, workspace)
    // What the comparison cannot read, the restore cannot either: it says why.
    if (Array.isArray(toEnd)) await ports.endBackground(toEnd)
    const now = journal.run(run_id) ?? run
    const end = await restoreRunCheckpoint({ ...ports, checkpoints: kept }, now, checkpoint_id, on_conflict, options)
    if (end.ok) return end
    const { code, failure_contract } = end
    const { message } = failure_contract.details
    if (!active) return { ok: false, code, message, failure_contract }
    const said = `${message}; the run was paused for the restore: resume it to continue without restoring`
    return {
      ok: false,
      code,
      message: said,
      failure_contract: { ...failure_contract, details: { ...failure_contract.details, message: said } },
    }
  }

  async function keepPoint(run_id: string): Promise<Outcome<CreatedCheckpoint>> {
    const guarded = live.guard(run_id)
    if (!guarded.ok) return guarded
    const point = createCheckpoint({ ...ports, checkpoints: kept }, guarded.value)
    keeping.add(point)
    return await point.finally(() => keeping.delete(point))
  }

  return {
    async restore(run_id, checkpoint_id, on_conflict, options) {
      const restored = await tryRestore(run_id, checkpoint_id, on_conflict, options)
      return restored.ok ? restored : rejections.restore(run_id, checkpoint_id, restored)
    },
    createCheckpoint: async (run_id) =>
      live.isStopping() ? rejection('storage_unavailable', 'the runtime is stopping') : await keepPoint(run_id),
    settled: () => Promise.allSettled(keeping),
  }
}
