// A checkpoint that a person asks for: of the folder the run works in, at a moment when no call of the run is changing it.
import { existsSync } from 'node:fs'
import { type CheckpointFailure, failed } from './failure.ts'
import type { Room } from './retain.ts'
import type { CheckpointCursor } from './store.ts'
import { folderScope } from './survey/scope.ts'
import { type TakenCheckpoint, type TakenRecord, takeCheckpoint } from './taking.ts'

export interface OnDemand {
  readonly run_id: string
  /** The folder the run works in. */
  readonly workspace: string
  /** Where the run stands; asked when its turn has come and nothing else is at work. */
  cursor(): CheckpointCursor
  readonly recorded: TakenRecord
}

/** A call between its checkpoint and its end: it may be changing what was kept for it. */
export interface OpenCall {
  readonly checkpoint_id: string
  readonly tool: string
}

/** `open` by run. The caller lets nothing else take, settle or restore meanwhile. */
export async function takeOnDemand(
  room: Room,
  open: ReadonlyMap<string, OpenCall>,
  { run_id, workspace, cursor, recorded }: OnDemand,
): Promise<TakenCheckpoint> {
  const at = cursor()
  // What was cut off by an error never settled, and is over all the same once the run stands still.
  const call = at.run_metadata.state === 'running' ? open.get(run_id) : undefined
  const hindrance = halfRestored(room, run_id) ?? (call ? underWay(call, run_id) : null) ?? gone(workspace)
  if (hindrance) return { outcome: 'failed', ...hindrance }
  return await takeCheckpoint(room, { scope: folderScope(workspace), call: null }, at, recorded)
}

/** Half of what a call does is nothing anybody wants to go back to. */
function underWay({ checkpoint_id, tool }: OpenCall, run_id: string): CheckpointFailure {
  const message = `${tool} is changing files right now; checkpoint ${checkpoint_id} holds how things were before it`
  return failed('run_busy', 'checkpoint', 'call_under_way', message, run_id, 'Wait until the call is over, or pause the run first.')
}

function halfRestored({ records }: Room, run_id: string): CheckpointFailure | null {
  const stuck = records.unsettled().find((row) => row.run_id === run_id && row.restored_checkpoint_id !== null)
  if (!stuck) return null
  const message = `a restore of run ${run_id} stopped half-way, so its files are neither as they were nor as they shall be`
  return failed(
    'restore_failed',
    'checkpoint',
    'restore_stuck',
    message,
    run_id,
    'Free the disk and start Tandem again: it finishes the restore or takes it back.',
  )
}

function gone(workspace: string): CheckpointFailure | null {
  if (existsSync(workspace)) return null
  const message = `the folder ${workspace || 'of the run'} is not there, so there is nothing to keep`
  return failed('not_found', 'checkpoint', 'workspace_gone', message, workspace, 'Bring the folder back, or choose another run.')
}
