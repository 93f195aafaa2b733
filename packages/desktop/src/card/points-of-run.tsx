import { followLink, timelineAddress } from '../address.ts'
import { recoveryWords } from '../strings/recovery.ts'

/** From a run to its timeline: also before there is anything on it, for a point can be taken there. */
export function PointsOfRun({ run_id }: { run_id: string }) {
  return (
    <p>
      <a href={timelineAddress(run_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
        {recoveryWords.ofRun}
      </a>
    </p>
  )
}
