import { followLink } from '../address.ts'
import { useWindow } from '../desk/use-desk.ts'
import { recoveryWords } from '../strings/recovery.ts'
import { timelineAddress } from './address.ts'

/** From a run to its timeline, once there is something on it. */
export function PointsOfRun({ run_id }: { run_id: string }) {
  const hasPoints = useWindow(({ journals }) => journals.get(run_id)?.steps.some(({ kind }) => kind === 'checkpoint.created') ?? false)
  if (!hasPoints) return null
  return (
    <p>
      <a href={timelineAddress(run_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
        {recoveryWords.ofRun}
      </a>
    </p>
  )
}
