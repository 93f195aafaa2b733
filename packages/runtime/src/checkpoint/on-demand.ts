// A checkpoint that a user requests: of the folder the run works in, while no call of the run is changing it.
import { existsSync } from 'node:fs'
import type { CheckpointCursor } from './checkpoint-row.ts'
import { type CheckpointFailure, failed } from './failure.ts'
import type { CheckpointContext } from './retention.ts'
import { folderScope } from './scan/scope.ts'
import { type TakenCheckpoint, type TakenRecord, takeCheckpoint } from './take-checkpoint.ts'

export interface OnDemand {
  readonly run_id: string
  /** The folder the run works in. */
  readonly workspace: string
  /** The position of the run; read when its turn has come and nothing else is running. */
  cursor(): CheckpointCursor
  readonly recorded: TakenRecord
}

/** A call between its checkpoint and its end: it may be changing what was saved for it. */
export interface OpenCall {
  readonly checkpoint_id: string
  readonly tool: string
}

/** `open` by run. The caller ensures that nothing else takes, settles or restores meanwhile. */
export async function takeOnDemand(
  room: CheckpointContext,
  open: ReadonlyMap<string, OpenCall>,
  { run_id, workspace, cursor, recorded }: OnDemand,
): Promise<TakenCheckpoint> {
  const at = cursor()
  // A call that an error interrupted was never settled, and has ended once the run is no longer running.
  const call = at.run_metadata.state === 'running' ? open.get(run_id) : undefined
  const hindrance = halfRestored(room, run_id) ?? (call ? callInProgress(call, run_id) : null) ?? gone(workspace)
  if (hindrance) return { outcome: 'failed', ...hindrance }
  return await takeCheckpoint(room, { scope: folderScope(workspace), call: null }, at, recorded)
}

/** A state in the middle of a call is not worth restoring. */
function callInProgress({ checkpoint_id, tool }: OpenCall, run_id: string): CheckpointFailure {
  const message = `${tool} is changing files right now; the recovery point ${checkpoint_id} has the state before it`
  return failed('run_busy', 'checkpoint', 'call_under_way', message, run_id, 'Wait until the call has ended, or pause the run first.')
}

function halfRestored({ records }: CheckpointContext, run_id: string): CheckpointFailure | null {
  const stuck = records.unsettled().find((row) => row.run_id === run_id && row.restored_checkpoint_id !== null)
  if (!stuck) return null
  const message = `a restore of run ${run_id} was interrupted, so its files are only partially restored`
  return failed(
    'restore_failed',
    'checkpoint',
    'restore_stuck',
    message,
    run_id,
    'Free space on the disk and start Tandem again: it finishes or undoes the restore.',
  )
}

function gone(workspace: string): CheckpointFailure | null {
  if (existsSync(workspace)) return null
  const message = `the folder ${workspace || 'of the run'} does not exist, so there is nothing to save`
  return failed('not_found', 'checkpoint', 'workspace_gone', message, workspace, 'Move the folder back, or choose another run.')
}
