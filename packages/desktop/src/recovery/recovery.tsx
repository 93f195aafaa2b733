// The place where one goes back: runs, the recovery points of one, and what going back to a point would do.
import { RestorePage } from './restore-page.tsx'
import { RunList } from './run-list.tsx'
import { Timeline } from './timeline.tsx'

export default function Recovery({ run_id, checkpoint_id }: { run_id?: string; checkpoint_id?: string }) {
  if (run_id === undefined) return <RunList />
  if (checkpoint_id === undefined) return <Timeline key={run_id} run_id={run_id} />
  return <RestorePage key={`${run_id}/${checkpoint_id}`} run_id={run_id} checkpoint_id={checkpoint_id} />
}
