// A recovery point that a user requests, at any moment of the run: while the model responds, while the run waits, after its end.

import type { CheckpointSummary } from '@tandem/contract/checkpoint'
import type { Checkpoints } from '../../checkpoint/checkpoints.ts'
import type { Outcome } from '../../feature/outcome.ts'
import { currentSteps } from '../../journal/current-steps.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { LoopPorts } from '../ports.ts'
import { runProgressOf } from '../run-progress.ts'
import { cursorOf } from './checkpointing.ts'

type OnDemandPorts = Pick<LoopPorts, 'journal' | 'events' | 'approvals'> & { readonly checkpoints: Checkpoints }

export interface CreatedCheckpoint {
  readonly checkpoint: CheckpointSummary
  readonly unprotected: readonly string[]
}

/** The caller has checked that the run belongs to this device. */
export async function createCheckpoint(ports: OnDemandPorts, run: RunRecord): Promise<Outcome<CreatedCheckpoint>> {
  const { journal, events, approvals, checkpoints } = ports
  const { run_id } = run
  const present = (): RunRecord => journal.run(run_id) ?? run
  const taken = await checkpoints.takeOnDemand({
    run_id,
    workspace: run.workspace,
    cursor() {
      const progress = runProgressOf(currentSteps(journal.steps(run_id)))
      // As before a call: after a restore, unanswered approvals are requested again.
      const asked = progress.open.flatMap(({ before }) => before ?? [])
      return cursorOf({ approvals, journal }, present(), progress, Math.min(present().next_seq - 1, ...asked))
    },
    recorded({ checkpoint_id, restore_kind, artifact_count, artifact_bytes }, duration_ms) {
      journal.append(run_id, { kind: 'checkpoint.created', checkpoint_id, restore_kind, call_id: null })
      const data = { checkpoint_id, restore_kind, call_id: null, artifact_count, artifact_bytes, duration_ms }
      events.emit('checkpoint_created', { run: present() }, data)
    },
  })
  if (taken.outcome !== 'taken') {
    const { code, failure_contract } = taken
    events.emit('checkpoint_failed', { run: present() }, { checkpoint_id: null, call_id: null }, failure_contract)
    return { ok: false, code, message: failure_contract.details.message, failure_contract }
  }
  return { ok: true, value: { checkpoint: taken.checkpoint, unprotected: taken.unprotected } }
}
