import { followLink, timelineAddress } from '../address.ts'
import { recoveryWords } from '../strings/recovery.ts'

/** Links a run to its timeline, even while that is empty: a recovery point can be created there. */
export function TimelineLink({ run_id }: { run_id: string }) {
  return (
    <p>
      <a href={timelineAddress(run_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
        {recoveryWords.ofRun}
      </a>
    </p>
  )
}
