// Which steps are lifecycle events of their run: recorded with the step, and read again for a listener that starts at the beginning.
import type { NewLifecycleEvent } from '../event/lifecycle/lifecycle-event.ts'
import type { DatedEvent } from '../event/lifecycle/store.ts'
import type { Store } from '../store/store.ts'
import type { NewStep } from './step.ts'

interface OfRun {
  readonly run_id: string
  readonly conversation_id: string
  readonly agent_id: string
}

const ends = { 'run.completed': 'completed', 'run.failed': 'failed', 'run.canceled': 'canceled' } as const

/** The step's own id names the event: it is the same whenever and however often the event is made. */
export function lifecycleOf(event_id: string, step: NewStep, { run_id, conversation_id, agent_id }: OfRun): NewLifecycleEvent | null {
  const ids = { run_id, conversation_id, agent_id }
  switch (step.kind) {
    case 'run.completed':
    case 'run.failed':
    case 'run.canceled':
      return { event: 'run_ended', event_id, data: { ...ids, state: ends[step.kind] } }
    case 'checkpoint.restored': {
      const { checkpoint_id, cursor_seq } = step
      return { event: 'checkpoint_restored', event_id, data: { ...ids, checkpoint_id, cursor_seq } }
    }
    default:
      return null
  }
}

/** Those of the runs of this device, in the order in which they happened; runs of other devices have theirs there. */
export function lifecycleHistory({ sql, device_id }: Pick<Store, 'sql' | 'device_id'>): readonly DatedEvent[] {
  const rows = sql.all<OfRun & { step_id: string; ts: number; kind: string; body: string }>`
    SELECT r.run_id, c.conversation_id, r.agent_id, s.step_id, s.ts, s.kind, s.body
    FROM agent_run_steps s JOIN runs r ON r.no = s.run JOIN conversations c ON c.no = r.conversation
    WHERE r.device_id = ${device_id} AND s.kind IN ('run.completed', 'run.failed', 'run.canceled', 'checkpoint.restored')
    ORDER BY s.ts, r.no, s.seq`
  return rows.flatMap(({ step_id, ts, kind, body, ...run }) => {
    const event = lifecycleOf(step_id, { kind, ...JSON.parse(body) } as NewStep, run)
    return event ? [{ ...event, at: ts }] : []
  })
}
