// The recovery pages: runs, the recovery points of one run, and the preview of a restore.
import { RestorePage } from './restore-page.tsx'
import { RunList } from './run-list.tsx'
import { Timeline } from './timeline.tsx'

export default function Recovery({ run_id, checkpoint_id }: { run_id?: string; checkpoint_id?: string }) {
  if (run_id === undefined) return <RunList />
  if (checkpoint_id === undefined) return <Timeline key={run_id} run_id={run_id} />
  return <RestorePage key={`${run_id}/${checkpoint_id}`} run_id={run_id} checkpoint_id={checkpoint_id} />
}
