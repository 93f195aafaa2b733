// Calls that were approved without a recovery point: where they may have changed something is recorded, because restores of other points
// must not take it for a change of their own call.
import type { Store } from '../store/store.ts'
import { packChanges } from './kept-changes/kept-changes.ts'
import type { ChangeScope } from './scan/scope.ts'
import type { CheckpointRecords } from './store.ts'

export interface UnprotectedCall {
  readonly run_id: string
  readonly workspace: string
  readonly scope: ChangeScope
}

export interface UnprotectedCalls {
  /** Called before the call; returns what `end` needs. */
  begin(call: UnprotectedCall): string
  /** Called when nothing of the call runs any more. */
  end(id: string): void
}

export function openUnprotectedCalls({ newId }: Pick<Store, 'newId'>, { kept }: Pick<CheckpointRecords, 'kept'>): UnprotectedCalls {
  // Calls of an earlier process have ended with it.
  kept.end()
  return {
    begin({ run_id, workspace, scope }) {
      const { root, reach, targets, folders, opaque } = scope
      const checkpoint_id = newId()
      const places = reach === 'tree' ? [root, ...folders, ...targets] : targets
      kept.begin({ checkpoint_id, run_id, workspace, by_command: opaque ? 1 : 0, changes: packChanges({ kind: 'places', places }) })
      return checkpoint_id
    },
    end: (id) => kept.end([id]),
  }
}
