// What the runs of a conversation changed: the files, their diffs, and undoing the changes of chosen files.
import { isAbsolute } from 'node:path'
import type { ConflictChoice } from '@tandem/contract/checkpoint'
import { limits } from '@tandem/contract/limits'
import type { FoldersOfRuns } from '../checkpoint/changes/run-changes.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { type CheckpointFailure, failed } from '../checkpoint/failure.ts'
import { timestamp } from '../clock/clock.ts'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, positionOf } from '../feature/cursor.ts'
import { conversationNotFound } from '../feature/not-found.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { isInside } from '../path/inside.ts'
import type { Restored, RestoreOptions } from '../run/recovery/restore.ts'

export interface ChangePorts {
  readonly journal: Pick<Journal, 'conversations' | 'run' | 'runsOf' | 'childrenOf'>
  readonly checkpoints: Pick<Checkpoints, 'ofRuns' | 'get'>
  /** Resolves when restores that a crash interrupted are finished. */
  readonly ready: Promise<unknown>
  restore(run_id: string, checkpoint_id: string, on_conflict: ConflictChoice, options?: RestoreOptions): Promise<Outcome<Restored>>
  /** Tandem's own folder: what members changed in copies in it counts when it is merged. */
  readonly home: string
  newId(): string
}

interface Scope {
  readonly conversation_id: string
  readonly run_id?: string
}

export function changeHandlers({ journal, checkpoints, ready, restore, home, newId }: ChangePorts): CommandTable {
  const { ofRuns } = checkpoints

  /** The runs of the conversation, or one of them, and the members they started that share their folders. */
  function runsIn({ conversation_id, run_id }: Scope): Outcome<FoldersOfRuns> {
    const conversation = journal.conversations.get(conversation_id)
    if (!conversation) return conversationNotFound(conversation_id)
    const own = journal.runsOf(conversation.no).filter((run) => run_id === undefined || run.run_id === run_id)
    if (run_id !== undefined && own.length === 0)
      return { ok: false, code: 'not_found', message: `conversation ${conversation_id} has no run ${run_id}` }
    const runs = new Map<string, string>()
    const open = own.map((run) => run.run_id)
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const run = journal.run(next)
      // What another device wrote may lead round in a circle.
      if (!run || runs.has(next)) continue
      runs.set(next, run.workspace)
      open.push(...journal.childrenOf(next))
    }
    return { ok: true, value: new Map([...runs].filter(([, folder]) => folder !== '' && !isInside(folder, home))) }
  }

  return {
    async changes_get({ lines = false, snapshot = newId(), conversation_id, run_id, ...paging }) {
      const from = positionOf('changes_get', paging, ['number'])
      if (!from.ok) return from
      const runs = runsIn({ conversation_id, ...(run_id === undefined ? {} : { run_id }) })
      if (!runs.ok) return runs
      const page = { snapshot, from: Number(from.value?.[0] ?? 0), limit: limitOf(paging), lines }
      const listed = await ofRuns.list(runs.value, page)
      if ('failure_contract' in listed) return refused(listed)
      const { since, next, items, folders, missing_folders, ...facts } = listed
      const value = {
        ...facts,
        ...{ folders: [...folders], missing_folders: [...missing_folders], items: [...items], snapshot },
        since: since === null ? null : timestamp(since),
        next_cursor: next === null ? null : Buffer.from(JSON.stringify(['changes_get', next])).toString('base64url'),
      }
      return { ok: true, value }
    },
    async changes_diff({ path, snapshot = newId(), from = 0, limit = limits.diff_slice_lines, ...scope }) {
      const runs = runsIn(scope)
      if (!runs.ok) return runs
      const diff = await ofRuns.diff(runs.value, { snapshot, path, from, limit })
      if (diff === null) return notChanged(path)
      return 'failure_contract' in diff ? refused(diff) : { ok: true, value: { path, diff } }
    },
    async changes_undo({ paths, on_conflict, checkpoint_id, end_background = false, ...scope }) {
      await ready
      const relative = paths.find((path) => !isAbsolute(path))
      if (relative !== undefined) return invalidField('paths', 'must be absolute paths', `${relative} must be an absolute path`)
      const runs = runsIn(scope)
      if (!runs.ok) return runs
      const undo = checkpoint_id === undefined ? await ofRuns.undo(runs.value, newId(), paths) : pointOf(runs.value, checkpoint_id, paths)
      if (undo === null) return notChanged(paths.join(', '))
      if ('failure_contract' in undo) return refused(undo)
      if ('ok' in undo) return undo
      const { run_id, background, running } = undo
      if (running > 0 && !end_background) return stillRunning(paths, undo.checkpoint_id, running)
      const chosen = { paths: undo.paths, runs: runs.value }
      const selection = background.length > 0 ? { background } : {}
      const restored = await restore(run_id, undo.checkpoint_id, on_conflict, { chosen, ...selection })
      if (!restored.ok) return restored
      const { counts, safety_checkpoint_id, left_alone } = restored.value
      const conflicts = on_conflict === 'overwrite' ? counts.conflict : 0
      const sum = counts.created + counts.changed + counts.deleted + conflicts
      return { ok: true, value: { run_id, restored: sum, safety_checkpoint_id, left_alone: [...left_alone] } }
    },
  }

  /** Undoes an earlier undo: the files as they were before it. */
  function pointOf(runs: FoldersOfRuns, checkpoint_id: string, paths: readonly string[]) {
    const run_id = checkpoints.get(checkpoint_id)?.run_id
    if (run_id === undefined || !runs.has(run_id)) {
      const message = `these runs have no recovery point ${checkpoint_id}`
      return { ok: false as const, code: 'checkpoint_expired' as const, message }
    }
    return { checkpoint_id, run_id, paths, background: [], running: 0 }
  }
}

function notChanged(path: string): Outcome<never> {
  return { ok: false, code: 'not_found', message: `no change of ${path} is recorded here: load the list of changes again` }
}

/** Nothing was changed and no command ended. */
function stillRunning(paths: readonly string[], checkpoint_id: string, running: number): Outcome<never> {
  const commands = running === 1 ? 'a background command' : `${running} background commands`
  const message = `${commands} may have changed ${paths.join(', ')} and ${running === 1 ? 'is' : 'are'} still running`
  const remedy = 'Wait until it ends, or undo again and choose to stop it.'
  return refused(failed('restore_conflict', 'restore', 'background_running', message, checkpoint_id, remedy))
}

function refused({ code, failure_contract }: CheckpointFailure): Outcome<never> {
  return { ok: false, code, message: failure_contract.details.message, failure_contract }
}
