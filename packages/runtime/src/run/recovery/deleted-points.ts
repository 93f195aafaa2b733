// Deleted recovery points, as events and as messages in their conversations. Called in the transaction that deletes them.
import type { DeletionReason } from '@tandem/contract/checkpoint'
import type { DeletedCheckpoint, DeletedRecord } from '../../checkpoint/retention.ts'
import type { Events } from '../../event/events.ts'
import type { Journal } from '../../journal/journal.ts'
import { type DeletedFor, writePointsDeleted } from '../status-messages.ts'

export function openDeletedPoints({ journal, events }: { readonly journal: Journal; readonly events: Events }): DeletedRecord {
  return (deleted) => {
    for (const one of deleted) {
      const { checkpoint_id, run_id, reason, freed_bytes } = one
      const run = journal.run(run_id)
      events.emit('checkpoint_expired', run ? { run } : {}, { checkpoint_id, reason, deleted: one.deleted, freed_bytes })
      if (run) writePointsDeleted(journal, run, deletedFor(one))
    }
  }
}

const deletedForReason = { outlived: 'age', over_cap: 'count', over_budget: 'space' } as const satisfies Record<DeletionReason, DeletedFor>

function deletedFor({ deleted, reason }: DeletedCheckpoint): DeletedFor {
  return deleted === 'contents' ? 'contents' : deletedForReason[reason]
}
