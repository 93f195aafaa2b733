// Records when the recovery point of a background command was closed, or why it could not be.
import type { BackgroundPointPorts } from '../../checkpoint/background-points.ts'
import { timestamp } from '../../clock/clock.ts'
import type { Events } from '../../event/events.ts'
import type { Journal } from '../../journal/journal.ts'

export interface ClosedPointPorts {
  readonly journal: Pick<Journal, 'run'>
  readonly events: Events
  log(line: string): void
}

export function openClosedPoints({ journal, events, log }: ClosedPointPorts): Pick<BackgroundPointPorts, 'closed' | 'failed' | 'log'> {
  return {
    closed({ checkpoint_id, run_id, returned_at, late }) {
      const run = journal.run(run_id)
      if (run) events.emit('checkpoint_closed', { run }, { checkpoint_id, returned_at: timestamp(returned_at), late })
    },
    failed({ checkpoint_id, run_id }, { failure_contract }) {
      log(`checkpoint ${checkpoint_id} stays open until the next start: ${failure_contract.details.message}`)
      const run = journal.run(run_id)
      if (run) events.emit('checkpoint_failed', { run }, { checkpoint_id, call_id: null }, failure_contract)
    },
    log,
  }
}
