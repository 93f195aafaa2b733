// Whether there is anything that the previous version could not read.
import type { Store } from '../store/store.ts'

export function hasUnreadChanges({ sql }: Pick<Store, 'sql'>): boolean {
  const found = sql.get`
    SELECT EXISTS (SELECT 1 FROM sync_unread) OR EXISTS (SELECT 1 FROM agent_run_steps WHERE known = 0)
      OR EXISTS (SELECT 1 FROM workflow_run_events WHERE known = 0) AS found`
  return found?.found === 1
}
