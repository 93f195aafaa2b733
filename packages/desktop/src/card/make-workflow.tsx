import { draftAddress, followLink } from '../address.ts'
import { words } from '../strings/window.ts'

/** Opens the calls of a run as a new workflow, when the run has ended. */
export function MakeWorkflow({ run_id, title, isOver }: { run_id: string; title: string; isOver: boolean }) {
  const label = words.runs.makeWorkflowOf(title)
  return isOver ? (
    <a href={draftAddress(run_id)} onClick={followLink} aria-label={label} className="text-cloud underline underline-offset-4">
      {words.runs.makeWorkflow}
    </a>
  ) : (
    <span className="text-faint">
      <button type="button" disabled aria-label={label}>
        {words.runs.makeWorkflow}
      </button>{' '}
      {words.runs.makeWorkflowLater}
    </span>
  )
}
